-- The saboteur: on the enemy's set-up ranks it may name the kind of a piece one or two squares
-- away; a right guess removes that piece.
local guess_attack = require "abilities.guess_attack"

return {
  letter = "X", label = "1", rank = 1,
  abilities = { sabotage = guess_attack { reach = 2, from = "enemy_zone" } },
}
