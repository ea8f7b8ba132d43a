-- Everything at once: captains and majors turn corners, a saboteur guesses, and scouts bring fallen
-- comrades back without a limit, as others do with one.
local rescue = require "abilities.rescue"

local turns = { reach = 2, turns = true }

return {
  api = 1, extends = "lightning",
  title = "Wanderers",
  army = { scout = 3, saboteur = 1 },
  pieces = {
    major = { moves = turns },
    saboteur = require "pieces.saboteur",
    scout = { abilities = { rescue = rescue { except = { "bomb", "flag" } } } },
  },
}
