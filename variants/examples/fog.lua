-- Duel in the fog: a side sees enemies within two steps of its pieces; scouts see farther. A piece
-- that comes back into sight cannot be told from others that were out of sight.
return {
  api = 1, extends = "duel",
  title = "Duel in the fog",
  sight = 2,
  pieces = {
    scout = { sight = 4 },
  },
  tests = {
    {
      title = "Two steps away is seen, three is not",
      position = { e4 = "rM", e7 = "b9", f1 = "rF", f10 = "bF" },
      move = "e4-e5", seen = "e5 e7",
    },
    {
      title = "A piece goes out of sight again",
      position = { e4 = "rM", e6 = "b9", f1 = "rF", f10 = "bF" }, first = "blue",
      move = "e6-e7", seen = "",
    },
    {
      title = "A scout sees farther",
      position = { e4 = "r2", e8 = "b9", f1 = "rF", f10 = "bF", j10 = "b3" }, first = "blue",
      move = "j10-j9", seen = "e8",
    },
  },
}
