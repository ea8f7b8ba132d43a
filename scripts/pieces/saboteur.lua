-- On the enemy's side of the board the saboteur names what stands one or two squares away; if it is
-- right, that piece is gone.
local guess_attack = require "abilities.guess_attack"

return {
  letter = "X", label = "1", rank = 1,
  abilities = { sabotage = guess_attack { reach = 2, from = "enemy_zone" } },
}
