-- A faster game with twenty pieces: attackers win ties, bombs explode once, captains move two
-- squares, and a piece that reaches the enemy's back rank returns a fallen one.
local rescue = require "abilities.rescue"

-- All pieces share this table, so that a side has two rescues in all. The flag is excepted for
-- completeness: losing it ends the game.
local rescues = { rescue = rescue { limit = 2, except = { "bomb", "flag" } } }

local pieces = {
  -- no longer repels all attackers: combat() below decides
  bomb = { repels = false },
  captain = { moves = { reach = 2, turns = true } },
}
-- All mobile pieces but scouts can rescue.
for _, name in ipairs { "spy", "miner", "sergeant", "lieutenant", "captain", "major", "colonel",
                        "general", "marshal" } do
  pieces[name] = pieces[name] or {}
  pieces[name].abilities = rescues
end

local function combat(attacker, defender)
  -- A bomb falls with its first attacker; a miner still removes it unharmed.
  if defender.name == "bomb" then return "both" end
  if attacker.rank >= defender.rank then return "attacker" end
  return "defender"
end

return {
  api = 1, extends = "original",
  title = "Lightning",
  zone = { filled = false },
  army = require("armies").lightning,
  pieces = pieces,
  combat = combat,
  tests = {
    {
      title = "The attacker wins a tie and moves in",
      position = { a4 = "r5", a5 = "b5", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "a4xa5", falls = "b5", after = { a5 = "r5" },
    },
    {
      title = "A bomb falls with its first attacker",
      position = { a4 = "rM", a5 = "bB", b4 = "r2", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "a4xa5", falls = "rM bB", after = { a5 = false },
    },
    {
      title = "A miner still removes it unharmed",
      position = { a4 = "r3", a5 = "bB", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "a4xa5", falls = "bB", after = { a5 = "r3" },
    },
    {
      title = "A captain runs two squares and turns a corner on the way",
      position = { a4 = "r6", a5 = "b3", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "a4-b5", after = { b5 = "r6" },
    },
    {
      title = "But not past a piece",
      position = { a4 = "r6", a5 = "b3", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "a4-a6", illegal = "blocked",
    },
    {
      title = "A piece on the enemy's back rank returns a fallen one, face down",
      position = { a9 = "r5", b4 = "r2", b5 = "b9", f1 = "rF", f10 = "bF" }, first = "blue",
      moves = "b5xb4",
      move = "a9-a10@a1=scout", after = { a10 = "r5", a1 = "r2" }, known = "b4",
    },
    {
      title = "Only to its own set-up zone",
      position = { a9 = "r5", b4 = "r2", b5 = "b9", f1 = "rF", f10 = "bF" }, first = "blue",
      moves = "b5xb4",
      move = "a9-a10@a5=scout", illegal = "ability",
    },
    {
      title = "Scouts cannot rescue",
      position = { a9 = "r2", b4 = "r2", b5 = "b9", f1 = "rF", f10 = "bF" }, first = "blue",
      moves = "b5xb4",
      move = "a9-a10@a1=scout", illegal = "ability",
    },
    {
      title = "Twice a game for each side",
      position = {
        a9 = "r5", b9 = "r5", c9 = "r4", g4 = "r2", g3 = "r2", g2 = "r2", f1 = "rF",
        h4 = "b9", f10 = "bF",
      },
      first = "blue",
      moves = "h4xg4 a9-a10@a1=scout  g4xg3 b9-b10@a2=scout  g3xg2",
      move = "c9-c10@a3=scout", illegal = "ability",
    },
  },
}
