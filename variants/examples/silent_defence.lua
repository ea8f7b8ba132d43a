-- The winner of a battle is not shown; only the fallen piece is. A miner that removes a bomb is
-- known all the same, since no other piece can.
local function shown(attacker, defender)
  if attacker.name == "miner" and defender.name == "bomb" then return "reveal" end
  return "silent"
end

return {
  api = 1, extends = "barrage",
  title = "Silent defence",
  after_battle = shown,
  tests = {
    {
      title = "A defender that wins is not shown",
      position = { a4 = "r9", a5 = "bM", b4 = "r2", f1 = "rF", f10 = "bF" },
      move = "a4xa5", falls = "r9", known = "",
    },
    {
      title = "An attacker that wins is not shown either",
      position = { a4 = "rM", a5 = "b9", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "a4xa5", falls = "b9", known = "",
    },
    {
      title = "A miner that removes a bomb is known",
      position = { a4 = "r3", a5 = "bB", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "a4xa5", falls = "bB", known = "a5",
    },
  },
}
