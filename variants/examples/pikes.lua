-- Pikemen go straight on and attack slantwise; riders leap two squares over a free one, and attack
-- only beside them.
local function pikeman(board, side, from)
  local ways = {}
  local forward = side == "red" and 1 or -1
  local function add(right, up, only)
    local to = board:step(from, right, up)
    if to and not board:is_lake(to) then ways[#ways + 1] = { to, only = only } end
  end
  add(0, forward, "move")
  add(1, 0, "move")
  add(-1, 0, "move")
  add(1, forward, "attack")
  add(-1, forward, "attack")
  return ways
end

return {
  api = 1, extends = "duel",
  title = "Pikes",
  army = { pikeman = 3, rider = 2 },
  pieces = {
    pikeman = {
      letter = "K", rank = 4, moves = pikeman,
      names = { en = "Pikeman", bg = "Копиеносец", es = "Piquero", hr = "Kopljanik",
                ru = "Пикинёр", uk = "Пікінер" },
    },
    rider = {
      letter = "R", rank = 5,
      moves = { { reach = 2, stops = false, only = "move" }, { reach = 1, only = "attack" } },
      names = { en = "Rider", bg = "Ездач", es = "Jinete", hr = "Jahač", ru = "Всадник",
                uk = "Вершник" },
    },
  },
  tests = {
    {
      title = "A pikeman attacks slantwise, and is known by it",
      position = { e4 = "rK", f5 = "b2", f1 = "rF", f10 = "bF", j9 = "b3" },
      move = "e4xf5", falls = "b2", after = { f5 = "rK" }, known = "f5",
    },
    {
      title = "It does not attack what is before it",
      position = { e4 = "rK", e5 = "b2", f1 = "rF", f10 = "bF", j9 = "b3" },
      move = "e4xe5", illegal = "movement",
    },
    {
      title = "It does not move slantwise",
      position = { e4 = "rK", e5 = "b2", f1 = "rF", f10 = "bF", j9 = "b3" },
      move = "e4-f5", illegal = "movement",
    },
    {
      title = "A rider leaps over a free square, as a scout could run",
      position = { e3 = "rR", f1 = "rF", f10 = "bF", j9 = "b3" },
      move = "e3-e5", after = { e5 = "rR" }, known = "",
    },
    {
      title = "Not over a piece",
      position = { e3 = "rR", e4 = "r2", f1 = "rF", f10 = "bF", j9 = "b3" },
      move = "e3-e5", illegal = "blocked",
    },
    {
      title = "It cannot stop between",
      position = { e3 = "rR", f1 = "rF", f10 = "bF", j9 = "b3" },
      move = "e3-e4", illegal = "movement",
    },
    {
      title = "It attacks beside it",
      position = { e3 = "rR", e4 = "b3", f1 = "rF", f10 = "bF", j9 = "b3" },
      move = "e3xe4", falls = "b3", after = { e4 = "rR" }, known = "e4",
    },
    {
      title = "Its leap is no attack",
      position = { e3 = "rR", e5 = "b3", f1 = "rF", f10 = "bF", j9 = "b3" },
      move = "e3xe5", illegal = "movement",
    },
  },
}
