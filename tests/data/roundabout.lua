-- Guesses and pieces that turn corners, and no other abilities.
local turns = { reach = 2, turns = true }

return {
  api = 1, extends = "galaxy",
  title = "Roundabout",
  pieces = { captain = { moves = turns }, major = { moves = turns } },
}
