-- Duel in the fog: an enemy is seen only within two steps of one of your pieces; scouts look
-- further. What goes out of sight is forgotten: when a piece comes back, nobody can tell which.
return {
  api = 1, extends = "duel",
  title = "Duel in the fog",
  sight = 2,
  pieces = {
    scout = { sight = 4 },
  },
}
