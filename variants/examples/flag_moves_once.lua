-- The flag may step aside once. Only the position tells whether it has moved: calls.legal is called
-- for every otherwise legal move, and may forbid it with a reason.
local function legal(position, move)
  if move.kind ~= "flag" then return true end
  if move.attacks then return false, "a flag does not attack" end
  if position:has_moved(move.from) then return false, "a flag moves once only" end
  return true
end

return {
  api = 1, extends = "duel",
  title = "The flag moves once",
  note = "The flag may step to a free square once in the game; it cannot attack.",
  pieces = { flag = { moves = "step" } },
  calls = { legal = legal },
  tests = {
    {
      title = "The flag steps aside",
      position = { a1 = "rF", h1 = "rM", a9 = "bF", h9 = "bM" },
      move = "a1-a2", after = { a2 = "rF" },
    },
    {
      title = "It does so once",
      position = { a1 = "rF", h1 = "rM", a9 = "bF", h9 = "bM" },
      moves = "a1-a2 h9-h8", move = "a2-a3", illegal = "variant",
    },
    {
      title = "Each side has its own step",
      position = { a1 = "rF", h1 = "rM", a9 = "bF", h9 = "bM" },
      moves = "a1-a2", move = "a9-b9", after = { b9 = "bF" },
    },
    {
      title = "It does not attack",
      position = { a1 = "rF", h1 = "rM", a2 = "bS", a9 = "bF" },
      move = "a1xa2", illegal = "variant",
    },
  },
}
