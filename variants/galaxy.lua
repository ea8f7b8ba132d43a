-- A smaller board and thirty pieces, two of them spotters.
local armies = require "armies"
local boards = require "boards"

return {
  api = 1, extends = "original",
  title = "Galaxy",
  edition = "10 x 8 with craters for lakes, 30 pieces, two spotters (as printed in Spain)",
  board = boards.galaxy,
  zone = { ranks = 3 },
  army = armies.galaxy,
  pieces = {
    spotter = require "pieces.spotter",
    -- The spy has no number here, so a spotter, of rank 1, captures it in an ordinary attack.
    spy = { rank = 0 },
  },
  chase = false,
  tests = {
    {
      title = "A spotter steps and names its neighbour; a right guess removes that piece",
      position = { a4 = "rP", a6 = "bM", f1 = "rF", f8 = "bF", j8 = "b2" },
      move = "a4-a5@a6=marshal", falls = "bM", after = { a5 = "rP", a6 = false }, known = "a5",
    },
    {
      title = "It need not step, and a wrong guess only shows the spotter",
      position = { a5 = "rP", a6 = "bM", f1 = "rF", f8 = "bF", j8 = "b2" },
      move = "a5@a6=bomb", falls = "", after = { a5 = "rP", a6 = "bM" }, known = "a5",
    },
    {
      title = "The step goes to an empty square",
      position = { a4 = "rP", a5 = "bS", a6 = "bM", f1 = "rF", f8 = "bF" },
      move = "a4xa5@a6=marshal", illegal = "ability",
    },
    {
      title = "The spy has no number and falls to a spotter's ordinary attack",
      position = { a4 = "rP", a5 = "bS", f1 = "rF", f8 = "bF", j8 = "b2" },
      move = "a4xa5", falls = "bS", after = { a5 = "rP" },
    },
    {
      title = "Pieces cannot enter craters",
      position = { c3 = "rM", f1 = "rF", f8 = "bF", j8 = "b2" },
      move = "c3-c4", illegal = "lake",
    },
    {
      title = "Chasing is allowed",
      position = { b4 = "r9", a5 = "b7", f1 = "rF", f8 = "bF" },
      moves = "b4-b5 a5-a4  b5-b4 a4-a3  b4-b3 a3-a4  b3-b4 a4-a5",
      move = "b4-b5",
    },
  },
}
