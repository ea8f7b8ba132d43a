-- A smaller board, thirty pieces, two of them spotters.
local armies = require "armies"
local boards = require "boards"

return {
  api = 1, extends = "original",
  title = "Galaxy",
  edition = "the Spanish sheet: spotters, craters for lakes",
  board = boards.galaxy,
  zone = { ranks = 3 },
  army = armies.galaxy,
  pieces = {
    spotter = require "pieces.spotter",
    -- The spy has no number here, and so a spotter, which is 1, takes it in an ordinary attack.
    spy = { rank = 0 },
  },
  chase = false,
}
