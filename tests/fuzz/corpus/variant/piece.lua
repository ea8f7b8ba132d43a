local guess = require "abilities.guess_attack"
return { api = 1, extends = "barrage", title = "G", army = { guard = 2 },
  pieces = { guard = { letter = "G", rank = 5, moves = { reach = 2, turns = true }, abilities = { look = guess { reach = 2, from = "enemy_zone" } } } } }
