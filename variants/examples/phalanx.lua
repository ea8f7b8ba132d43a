-- Between equals the piece with more comrades next to it wins. `combat` returns "ask" for these
-- battles; for them calls.battle is called during play. All other outcomes stay in the table.
local function combat(attacker, defender)
  if attacker.rank == defender.rank then return "ask" end
  return attacker.rank > defender.rank and "attacker" or "defender"
end

-- Pieces of one side next to a square.
local function comrades(position, side, square)
  local count = 0
  for _, at in ipairs(position:board():neighbours(square)) do
    local _, of = position:kind_at(at)
    if of == side then count = count + 1 end
  end
  return count
end

local function battle(position, move)
  local enemy = move.side == "red" and "blue" or "red"
  local own, others = comrades(position, move.side, move.from), comrades(position, enemy, move.to)
  if own == others then return "both" end
  return own > others and "attacker" or "defender"
end

return {
  api = 1, extends = "duel",
  title = "Phalanx",
  note = "Between equals the one with more comrades next to it wins; with equal numbers both fall.",
  combat = combat,
  calls = { battle = battle },
  tests = {
    {
      title = "Alone against alone, both fall",
      position = { a1 = "rF", a4 = "rM", c1 = "r2", a5 = "bM", j10 = "bF", j9 = "b2" },
      move = "a4xa5", falls = "rM bM",
    },
    {
      title = "A comrade beside the attacker decides",
      position = { a1 = "rF", a4 = "rM", b4 = "r2", a5 = "bM", j10 = "bF", j9 = "b2" },
      move = "a4xa5", falls = "bM", after = { a5 = "rM" },
    },
    {
      title = "Two beside the defender decide against one",
      position = { a1 = "rF", a4 = "rM", b4 = "r2", a5 = "bM", a6 = "b3", b5 = "b2", j10 = "bF" },
      move = "a4xa5", falls = "rM", after = { a4 = false, a5 = "bM" },
    },
    {
      title = "Unequal ranks need no comrades",
      position = { a1 = "rF", a4 = "rM", a5 = "b9", a6 = "b3", b5 = "b2", j10 = "bF" },
      move = "a4xa5", falls = "b9",
    },
  },
}
