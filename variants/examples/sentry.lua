-- The sentry never moves and wins no battle, but an enemy that ends its turn next to it is known
-- from then on. calls.after_move is called after every turn and returns effects.
local function after_move(position, move)
  local enemy = move.side == "red" and "blue" or "red"
  local _, of = position:kind_at(move.to)
  if of ~= move.side then return nil end -- it has fallen in its attack
  for _, at in ipairs(position:board():neighbours(move.to)) do
    local kind, side = position:kind_at(at)
    if kind == "sentry" and side == enemy then return { reveal = move.to } end
  end
end

return {
  api = 1, extends = "duel",
  title = "Sentries",
  note = "A piece that ends its turn next to an enemy's sentry is known from then on.",
  army = { sentry = 2, bomb = 1, scout = 1 },
  pieces = {
    sentry = {
      letter = "W", label = "o", moves = "none", loses_to = "all",
      names = { bg = "Часовой", uk = "Вартовий", hr = "Stražar", es = "Centinela", ru = "Часовой" },
    },
  },
  calls = { after_move = after_move },
  tests = {
    {
      title = "A piece that stops next to an enemy's sentry is known",
      position = { a1 = "rF", a4 = "rM", a6 = "bW", j10 = "bF", j9 = "b2" },
      move = "a4-a5", known = "a5",
    },
    {
      title = "Its own side stays hidden",
      position = { a1 = "rF", a4 = "rM", a6 = "rW", j10 = "bF", j9 = "b2" },
      move = "a4-a5", known = "",
    },
    {
      title = "Two steps away a piece stays hidden",
      position = { a1 = "rF", a3 = "rM", a6 = "bW", j10 = "bF", j9 = "b2" },
      move = "a3-a4", known = "",
    },
  },
}
