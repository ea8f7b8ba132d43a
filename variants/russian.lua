-- A chase ends after two moves, and a game that neither side can win is a draw.
return {
  api = 1, extends = "original",
  title = "Russian",
  edition = "a chase ends after two moves, a draw without miners (as printed in Russia)",
  chase = "russian",
  draw_without = { "miner" },
  tests = {
    {
      title = "A piece that flees may be chased for two moves, not three",
      position = { b4 = "r9", a5 = "b7", f1 = "rF", f10 = "bF" },
      moves = "b4-b5 a5-a4  b5-b4 a4-a3",
      move = "b4-b3", illegal = "chase",
    },
    {
      title = "The second move of a chase is allowed",
      position = { b4 = "r9", a5 = "b7", f1 = "rF", f10 = "bF" },
      moves = "b4-b5 a5-a4",
      move = "b5-b4",
    },
    {
      title = "Without miners and with both flags walled in, the game is drawn",
      position = {
        a4 = "rM", a5 = "b3", j10 = "b9",
        f1 = "rF", e1 = "rB", g1 = "rB", f2 = "rB",
        f10 = "bF", e10 = "bB", g10 = "bB", f9 = "bB",
      },
      move = "a4xa5", falls = "b3", result = "draw", reason = "no-miners",
    },
    {
      title = "The game goes on while a flag can be reached",
      position = {
        a4 = "rM", a5 = "b3", j10 = "b9",
        f1 = "rF", e1 = "rB", g1 = "rB", f2 = "rB", f10 = "bF",
      },
      move = "a4xa5", falls = "b3", result = "none",
    },
  },
}
