-- Nobody arranges: each game draws both armies anew, and both begin at once. Only that the flag
-- stands on the back rank is certain.
return {
  api = 1, extends = "duel",
  title = "Melee",
  setup = "chance",
  pieces = { flag = { start = { ranks = { 1 } } } },
  tests = {
    {
      title = "It is played as ever",
      position = { e4 = "r9", a1 = "r2", e5 = "b3", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "e4xe5", falls = "b3", after = { e5 = "r9", e4 = false },
    },
  },
}
