-- The winner of a battle is not shown: an attack tells what has fallen, and that something beat it.
-- Only a miner that clears a bomb gives itself away, since nothing else can.
local function shown(attacker, defender)
  if attacker.name == "miner" and defender.name == "bomb" then return "reveal" end
  return "silent"
end

return {
  api = 1, extends = "barrage",
  title = "Silent defence",
  after_battle = shown,
}
