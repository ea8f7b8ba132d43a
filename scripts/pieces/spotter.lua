-- The spotter: it may name the kind of a piece next to it, after a step or without one; a right
-- guess removes that piece.
local guess_attack = require "abilities.guess_attack"

return {
  letter = "P", label = "1", rank = 1,
  abilities = { spot = guess_attack { reach = 1, step_first = true } },
}
