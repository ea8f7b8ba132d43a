-- Twenty pieces, and everything goes faster: attackers win ties, bombs explode once, captains move
-- two squares, and who breaks through to the enemy's back rank brings a comrade back.
local rescue = require "abilities.rescue"

-- One table for all, so that the two rescues of a game are counted for the whole side. The flag is
-- named for completeness: a side that has lost it plays no more.
local rescues = { rescue = rescue { limit = 2, except = { "bomb", "flag" } } }

local pieces = {
  -- Neither beaten by "all" nor repelling: combat below has the word.
  bomb = { repels = false },
  captain = { moves = { reach = 2, turns = true } },
}
-- Scouts run too fast to carry anybody.
for _, name in ipairs { "spy", "miner", "sergeant", "lieutenant", "captain", "major", "colonel",
                        "general", "marshal" } do
  pieces[name] = pieces[name] or {}
  pieces[name].abilities = rescues
end

local function combat(attacker, defender)
  -- The bomb leaves the board with its first attacker; a miner still removes it unharmed.
  if defender.name == "bomb" then return "both" end
  if attacker.rank >= defender.rank then return "attacker" end
  return "defender"
end

return {
  api = 1, extends = "original",
  title = "Lightning",
  zone = { filled = false },
  army = require("armies").lightning,
  pieces = pieces,
  combat = combat,
}
