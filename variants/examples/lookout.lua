-- A lookout: in place of a move it looks at an enemy up to three squares away along a rank or file,
-- past other pieces but not past a lake. Its side alone learns whether that is at least a captain;
-- the enemy sees only where it looked. A piece next to it is recognized for what it is.
local directions = { { 0, 1 }, { 1, 0 }, { 0, -1 }, { -1, 0 } }

local function in_line(board, from, first, last)
  local list = {}
  for _, direction in ipairs(directions) do
    for steps = 1, last do
      local at = board:step(from, steps * direction[1], steps * direction[2])
      if not at or board:is_lake(at) then break end
      if steps >= first then list[#list + 1] = at end
    end
  end
  return list
end

return {
  api = 1, extends = "original",
  title = "Lookout",
  army = { scout = 7, lookout = 1 },
  pieces = {
    lookout = {
      letter = "L", rank = 1,
      names = { en = "Lookout", bg = "Наблюдател", es = "Vigía", hr = "Izviđač", ru = "Дозорный",
                uk = "Дозорець" },
      abilities = {
        look = {
          targets = function(board, _, from) return in_line(board, from, 2, 3) end,
          resolve = function() return { learn = { at_least = "captain" } } end,
          attacks = false,
        },
        recognize = {
          targets = function(board, _, from) return in_line(board, from, 1, 1) end,
          resolve = function() return { learn = "kind" } end,
          attacks = false,
        },
      },
    },
  },
  tests = {
    {
      title = "What stands next to the lookout is known to its side",
      position = { e5 = "rL", e6 = "bM", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "e5@recognize:e6", known = "e6", after = { e5 = "rL", e6 = "bM" },
    },
    {
      title = "From farther away only the strength is",
      position = { e5 = "rL", e8 = "bM", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "e5@look:e8", known = "",
    },
    {
      title = "It does not look past a lake",
      position = { b6 = "rL", e6 = "bM", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "b6@look:e6", illegal = "ability",
    },
  },
}
