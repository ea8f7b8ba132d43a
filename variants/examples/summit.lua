-- A game without flags: hold the summit for three turns of your side. A fallen army has lost, too.
return {
  api = 1, extends = "quick",
  title = "Summit",
  army = { flag = 0, bomb = 0 },
  goal = { { at = { "d4", "e4", "d5", "e5" }, after = 3 } },
  tests = {
    {
      title = "Whoever stands there when the third turn of its side begins has won",
      position = { d4 = "rM", a1 = "r2", h8 = "b3", h7 = "b2" },
      moves = "a1-a2 h8-g8 a2-a3 g8-f8 a3-a2", move = "f8-e8", result = "red", reason = "goal",
    },
    {
      title = "The turns of a piece that moves count afresh",
      position = { d4 = "rM", a1 = "r2", h8 = "b3", h7 = "b2" },
      moves = "a1-a2 h8-g8 d4-e4 g8-f8 a2-a3", move = "f8-e8", result = "none",
    },
    {
      title = "A side whose last piece falls has lost",
      position = { d4 = "rM", d5 = "b3" },
      move = "d4xd5", falls = "b3", result = "red", reason = "immobile",
    },
  },
}
