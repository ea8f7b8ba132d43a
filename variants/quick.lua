-- The duel's ten pieces on an 8 x 8 board.
return {
  api = 1, extends = "duel",
  title = "Quick",
  board = require("boards").quick,
  zone = { ranks = 3 },
  tests = {
    {
      title = "Ten pieces on a small board",
      red = "M..2..../...9..2./3.SBFB.3",
      blue = "M..2..../...9..2./3.SBFB.3",
      move = "d3-d5", after = { d5 = "r2", h6 = "bM", d8 = "bF" }, known = "d5",
    },
    {
      title = "Its lakes are narrow",
      position = { c3 = "rM", f1 = "rF", f8 = "bF", h8 = "b3" },
      move = "c3-c4", illegal = "lake",
    },
  },
}
