-- The spotter may take a step and then names what stands next to it; if it is right, that piece is
-- gone.
local guess_attack = require "abilities.guess_attack"

return {
  letter = "P", label = "1", rank = 1,
  abilities = { spot = guess_attack { reach = 1, step_first = true } },
}
