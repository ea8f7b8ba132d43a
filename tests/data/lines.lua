-- A board whose lines are drawn by the number `seed`, which tests/core/test_reference.c writes before
-- this: links, walls, a railway, camps that shelter, forts that no piece leaves.
local function chance(n)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed // 65536 % n
end

local files, ranks = 6 + chance(3), 8

local function name(file, rank)
  return string.char(96 + file) .. rank
end

local links, walls, rail, camp, fort = {}, {}, {}, {}, {}
for rank = 1, ranks do
  for file = 1, files do
    local here = name(file, rank)
    if chance(2) == 0 then rail[#rail + 1] = here end
    if chance(8) == 0 then camp[#camp + 1] = here end
    if chance(14) == 0 then fort[#fort + 1] = here end
    if file < files and chance(6) == 0 then walls[#walls + 1] = here .. "-" .. name(file + 1, rank) end
    if rank < ranks and chance(6) == 0 then walls[#walls + 1] = here .. "-" .. name(file, rank + 1) end
    if file < files and rank < ranks and chance(6) == 0 then
      links[#links + 1] = here .. "-" .. name(file + 1, rank + 1)
    end
  end
end
camp[#camp + 1], fort[#fort + 1], rail[#rail + 1] = "a4", "b5", "c4"
links[#links + 1], walls[#walls + 1] = "a3-c5", "c4-c5"

return {
  api = 1, extends = "duel",
  title = "Lines",
  board = {
    files = files, ranks = ranks, lakes = {},
    ground = { rail = rail, camp = camp, fort = fort },
    links = links, walls = walls, shelter = "camp", leaves = "fort",
  },
  zone = { ranks = 3 },
  army = { flag = 1, bomb = 2, marshal = 1, general = 1, sergeant = 2, miner = 2, scout = 2, spy = 1 },
  chase = ({ [0] = false, "isf", "russian" })[chance(3)],
  two_squares = chance(2) == 0 and 3,
  draw_without = chance(2) == 0 and { "miner" },
  limits = { no_attack = 60 },
  pieces = {
    sergeant = { moves = { "step", { slide = "rail" } } },
    general = { moves = { slide = "rail" } },
    miner = { moves = { "step", { flood = "rail" } } },
    marshal = { moves = { flood = "rail" } },
    spy = { moves = { reach = 2, turns = true } },
  },
}
