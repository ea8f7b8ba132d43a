-- Railways, camps and a river: what the ground can mean. Infantry steps anywhere and runs straight
-- along the railway, engineers turn its corners too. A piece in a camp cannot be attacked, a piece
-- in a fort stays there. The river parts two halves but for two bridges; a pass joins two squares
-- that are no neighbours.
local rail, walls = {}, {}
for rank = 2, 7 do
  rail[#rail + 1] = "a" .. rank
  rail[#rail + 1] = "g" .. rank
end
for _, file in ipairs { "b", "c", "d", "e", "f" } do
  rail[#rail + 1] = file .. 2
  rail[#rail + 1] = file .. 7
  if file ~= "b" and file ~= "f" then walls[#walls + 1] = file .. "4-" .. file .. "5" end
end

local infantry = { "step", { slide = "rail" } }

return {
  api = 1, extends = "original",
  title = "Railway",
  board = {
    files = 7, ranks = 8, lakes = {},
    ground = {
      rail = rail,
      camp = { "d3", "d6" },
      fort = { red = { "c1", "e1" }, blue = { "c8", "e8" } },
    },
    links = { "c3-b4", "e6-f5" },
    walls = walls,
    shelter = "camp",
    leaves = "fort",
  },
  zone = { squares = {
    "a1", "b1", "c1", "d1", "e1", "f1", "g1", "a2", "b2", "c2", "d2", "e2", "f2", "g2",
    "a3", "b3", "c3", "e3", "f3", "g3",
  }, filled = true },
  army = { flag = 1, bomb = 3, marshal = 1, general = 1, colonel = 2, major = 2, captain = 2,
           lieutenant = 2, sergeant = 2, miner = 2, scout = 2, spy = 0 },
  pieces = {
    flag = { start = { squares = { "c1", "e1" } } },
    bomb = { start = { ranks = { 1, 2 } } },
    marshal = { moves = infantry }, general = { moves = infantry }, colonel = { moves = infantry },
    major = { moves = infantry }, captain = { moves = infantry }, lieutenant = { moves = infantry },
    sergeant = { moves = infantry }, scout = { moves = infantry },
    miner = { moves = { "step", { flood = "rail" } },
              names = { en = "Engineer", bg = "Инженер", es = "Ingeniero", hr = "Inženjer",
                        ru = "Инженер", uk = "Інженер" } },
  },
  tests = {
    {
      title = "A run along the railway ends in an attack",
      position = { c1 = "rF", a2 = "r8", c8 = "bF", a7 = "b5", f6 = "b4" },
      move = "a2xa7", falls = "b5", after = { a7 = "r8" },
    },
    {
      title = "It turns no corner",
      position = { c1 = "rF", a2 = "r8", c8 = "bF", f6 = "b4" },
      move = "a2-b7", illegal = "movement",
    },
    {
      title = "An engineer does, and is known by it",
      position = { c1 = "rF", a2 = "r3", b3 = "r4", c8 = "bF", f6 = "b4" },
      move = "a2-d7", after = { d7 = "r3" }, known = "d7",
    },
    {
      title = "As far as the way is free",
      position = { c1 = "rF", a2 = "r3", a4 = "r4", g2 = "r5", c8 = "bF", f6 = "b4" },
      move = "a2-d7", illegal = "blocked",
    },
    {
      title = "A camp shelters",
      position = { c1 = "rF", c3 = "r8", d3 = "b4", c8 = "bF" },
      move = "c3xd3", illegal = "shelter",
    },
    {
      title = "But an empty one may be entered",
      position = { c1 = "rF", c3 = "r8", e3 = "b4", c8 = "bF" },
      move = "c3-d3", after = { d3 = "r8" },
    },
    {
      title = "A fort is left by nobody",
      position = { c1 = "rF", e8 = "r8", a1 = "r2", e3 = "b4", c8 = "bF" },
      move = "e8-d8", illegal = "leaves",
    },
    {
      title = "The river parts neighbours",
      position = { c1 = "rF", d4 = "r8", e3 = "b4", c8 = "bF" },
      move = "d4-d5", illegal = "movement",
    },
    {
      title = "Where there is a bridge it does not",
      position = { c1 = "rF", b4 = "r8", e3 = "b4", c8 = "bF" },
      move = "b4-b5", after = { b5 = "r8" },
    },
    {
      title = "A pass joins what is no neighbour",
      position = { c1 = "rF", c3 = "r8", b4 = "b4", c8 = "bF", f6 = "b3" },
      move = "c3xb4", falls = "b4",
    },
  },
}
