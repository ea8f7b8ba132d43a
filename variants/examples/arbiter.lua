-- An arbiter judges the battles: he says whose piece falls, and nothing of what fought. Only when a
-- marshal falls both sides hear it, since its flag is shown.
return {
  api = 1, extends = "duel",
  title = "Arbiter",
  after_battle = "silent",
  fallen = "hidden",
  fall_of = { marshal = { reveal = "flag" } },
  tests = {
    {
      title = "Neither learns what the other's piece is",
      position = { e4 = "r9", a1 = "r2", e5 = "b3", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "e4xe5", falls = "b3", after = { e5 = "r9" }, known = "",
    },
    {
      title = "The fall of a marshal shows the flag",
      position = { e4 = "rS", a1 = "r2", e5 = "bM", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "e4xe5", falls = "bM", after = { e5 = "rS" }, known = "f10",
    },
    {
      title = "A scout's run shows it as ever",
      position = { e4 = "r2", a1 = "r2", e8 = "bM", f1 = "rF", f10 = "bF", j10 = "b2" },
      moves = "e4-e6", move = "j10-j9", falls = "", known = "e6",
    },
  },
}
