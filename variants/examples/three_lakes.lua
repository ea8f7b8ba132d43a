-- The full army on a board with three lakes and four narrow ways between them. The board looks the
-- same from both sides, so that neither has an advantage.
return {
  api = 1, extends = "original",
  title = "Three lakes",
  board = {
    lakes = { "b5", "b6", "c5", "c6", "e5", "e6", "f5", "f6", "h5", "h6", "i5", "i6" },
  },
  tests = {
    {
      title = "The middle is a lake",
      position = { a1 = "rF", e4 = "rM", j10 = "bF", j9 = "bM" },
      move = "e4-e5", illegal = "lake",
    },
    {
      title = "Four ways lead across",
      position = { a1 = "rF", d4 = "r2", j10 = "bF", j9 = "bM" },
      move = "d4-d8", after = { d8 = "r2" },
    },
  },
}
