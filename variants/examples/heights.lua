-- Hills: whoever attacks uphill fights with a rank less, whoever attacks downhill with a rank more.
-- `from` and `to` are the squares of the two: the names of the grounds that they are of.
local function combat(attacker, defender, from, to)
  local strength = attacker.rank
  if to.hill and not from.hill then strength = strength - 1 end
  if from.hill and not to.hill then strength = strength + 1 end
  if strength == defender.rank then return "both" end
  return strength > defender.rank and "attacker" or "defender"
end

return {
  api = 1, extends = "duel",
  title = "Heights",
  board = { ground = { hill = { "e5", "f5", "e6", "f6" } } },
  combat = combat,
  tests = {
    {
      title = "On level ground equals fall",
      position = { a4 = "r3", a5 = "b3", f1 = "rF", f10 = "bF", e1 = "r9", j9 = "b9" },
      move = "a4xa5", falls = "r3 b3",
    },
    {
      title = "Uphill an attack fails that would be a tie",
      position = { e4 = "r3", e5 = "b3", f1 = "rF", f10 = "bF", j9 = "b9" },
      move = "e4xe5", falls = "r3", after = { e5 = "b3" }, known = "e5",
    },
    {
      title = "Downhill it wins",
      position = { e5 = "r3", e4 = "b3", f1 = "rF", f10 = "bF", j9 = "b9" },
      move = "e5xe4", falls = "b3", after = { e4 = "r3" },
    },
    {
      title = "From hill to hill nothing changes",
      position = { e5 = "r9", e6 = "b3", f1 = "rF", f10 = "bF", j9 = "b9" },
      move = "e5xe6", falls = "b3",
    },
    {
      title = "A rank more is a tie uphill",
      position = { e4 = "r3", e5 = "b2", f1 = "rF", f10 = "bF", e1 = "r9", j9 = "b9" },
      move = "e4xe5", falls = "r3 b2",
    },
    {
      title = "A bomb stays one, wherever it lies",
      position = { e5 = "rM", e4 = "bB", f1 = "rF", f10 = "bF", e1 = "r9", j9 = "b9" },
      move = "e5xe4", falls = "rM",
    },
  },
}
