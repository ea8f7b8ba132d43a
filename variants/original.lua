-- The game as most people know it. Most other variants extend this file.
local armies = require "armies"
local boards = require "boards"

return {
  api = 1,
  title = "Original",
  edition = "the Bulgarian sheet: 40 pieces, 10 is the highest rank",
  board = boards.standard,
  zone = { ranks = 4, filled = true },
  army = armies.full,
  pieces = require "pieces.standard",
  first = "red",
  two_squares = 3,
  -- The sheet tells nobody off for chasing for ever; the rule is that of the international
  -- federation.
  chase = "isf",
}
