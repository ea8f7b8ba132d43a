-- The armies of the stock games: the number of each piece on a side. 0 removes a piece that the
-- extended variant has.
local armies = {}

armies.full = {
  flag = 1, bomb = 6, spy = 1, scout = 8, miner = 5, sergeant = 4, lieutenant = 4, captain = 4,
  major = 3, colonel = 2, general = 1, marshal = 1,
}

-- Ten pieces.
armies.duel = {
  flag = 1, bomb = 2, spy = 1, scout = 2, miner = 2, sergeant = 0, lieutenant = 0, captain = 0,
  major = 0, colonel = 0, general = 1, marshal = 1,
}

-- Eight pieces: the duel's army without one bomb and one miner.
armies.barrage = {
  flag = 1, bomb = 1, spy = 1, scout = 2, miner = 1, sergeant = 0, lieutenant = 0, captain = 0,
  major = 0, colonel = 0, general = 1, marshal = 1,
}

-- Thirty pieces, two of them spotters.
armies.galaxy = {
  flag = 1, bomb = 6, spy = 1, spotter = 2, scout = 5, miner = 5, sergeant = 2, lieutenant = 2,
  captain = 2, major = 1, colonel = 1, general = 1, marshal = 1,
}

-- Ten pieces, one of them a spotter.
armies.galaxy_duel = {
  flag = 1, bomb = 2, spy = 1, spotter = 1, scout = 1, miner = 2, sergeant = 0, lieutenant = 0,
  captain = 0, major = 0, colonel = 0, general = 1, marshal = 1,
}

-- Twenty pieces.
armies.lightning = {
  flag = 1, bomb = 2, spy = 1, scout = 4, miner = 2, sergeant = 2, lieutenant = 2, captain = 2,
  major = 1, colonel = 1, general = 1, marshal = 1,
}

return armies
