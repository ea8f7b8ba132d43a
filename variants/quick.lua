-- The duel's ten pieces on a board of eight by eight.
return {
  api = 1, extends = "duel",
  title = "Quick",
  board = require("boards").quick,
  zone = { ranks = 3 },
}
