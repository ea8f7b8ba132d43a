-- Scouts fly over lakes. `moves` is called once for each square, when the variant is loaded, and
-- lists the ways from that square; a way is a list of squares to enter one after the other. Leaving
-- lakes out of a way lets the scout pass over them. Pieces still block it.
local directions = { { 0, 1 }, { 1, 0 }, { 0, -1 }, { -1, 0 } }

local function fly(board, _, from)
  local ways = {}
  for _, direction in ipairs(directions) do
    local way = {}
    local at = board:step(from, direction[1], direction[2])
    while at do
      if not board:is_lake(at) then way[#way + 1] = at end
      at = board:step(at, direction[1], direction[2])
    end
    ways[#ways + 1] = way
  end
  return ways
end

return {
  api = 1, extends = "barrage",
  title = "Airborne",
  pieces = { scout = { label = "2", moves = fly } },
  tests = {
    {
      title = "A scout flies over a lake, and is known",
      position = { a1 = "rF", c4 = "r2", j10 = "bF", j9 = "bM" },
      move = "c4-c8", after = { c8 = "r2" }, known = "c8",
    },
    {
      title = "It attacks at the other shore",
      position = { a1 = "rF", c4 = "r2", c7 = "bS", j10 = "bF", j9 = "bM" },
      move = "c4xc7", falls = "bS", after = { c7 = "r2" },
    },
    {
      title = "It cannot fly over a piece",
      position = { a1 = "rF", c4 = "r2", c7 = "bS", j10 = "bF", j9 = "bM" },
      move = "c4-c8", illegal = "blocked",
    },
    {
      title = "It cannot land on a lake",
      position = { a1 = "rF", c4 = "r2", j10 = "bF", j9 = "bM" },
      move = "c4-c5", illegal = "lake",
    },
    {
      title = "Other pieces cannot fly",
      position = { a1 = "rF", c4 = "rM", j10 = "bF", j9 = "bM" },
      move = "c4-c7", illegal = "movement",
    },
  },
}
