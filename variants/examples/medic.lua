-- The medic: a piece that falls in defence next to its own medic returns at once, face down, to the
-- first free square of its set-up zone; each piece once a game.
--
-- Only the position tells which piece fell next to a medic: calls.after_battle is called after each
-- attack and returns further effects.

-- Squares of the side's set-up zone, its back rank first.
local function home(board, side)
  local squares = {}
  for _, at in ipairs(board:squares()) do
    if board:in_zone(side, at) then
      table.insert(squares, side == "red" and #squares + 1 or 1, at)
    end
  end
  return squares
end

local function is_next_to_medic(position, side, square)
  for _, at in ipairs(position:board():neighbours(square)) do
    local kind, of = position:kind_at(at)
    if kind == "medic" and of == side then return true end
  end
  return false
end

local function after_battle(position, move)
  local side = move.side == "red" and "blue" or "red" -- the defender's
  local fallen = move.attacks
  if move.outcome == "defender" or fallen == "flag" or fallen == "bomb" then return nil end
  if not is_next_to_medic(position, side, move.to) then return nil end
  if position:returnable(side, fallen) == 0 then return nil end -- it has returned before
  for _, at in ipairs(home(position:board(), side)) do
    if not position:kind_at(at) then
      return { place = fallen, at = at, side = side }
    end
  end
end

return {
  api = 1, extends = "duel",
  title = "Medic",
  note = "A piece that falls in defence next to its own medic returns, face down, to the first "
    .. "free square of its set-up zone: each piece once, but no bombs and not the flag.",
  army = { medic = 1, scout = 1 },
  pieces = {
    medic = {
      letter = "D", label = "+",
      names = {
        bg = "Санитар", uk = "Санітар", hr = "Bolničar", es = "Sanitario", ru = "Санитар",
      },
    },
  },
  calls = { after_battle = after_battle },
  tests = {
    {
      title = "A piece that falls next to the medic returns to the back rank, on the side's left",
      position = { a1 = "rF", a4 = "rM", a5 = "b3", b5 = "bD", b10 = "bF" },
      move = "a4xa5", falls = "b3", after = { a5 = "rM", j10 = "b3" }, known = "a5",
    },
    {
      title = "Two steps away from the medic it does not",
      position = { a1 = "rF", a4 = "rM", a5 = "b3", a7 = "bD", b10 = "bF" },
      move = "a4xa5", falls = "b3", after = { a5 = "rM", j10 = false },
    },
    {
      title = "An attacker that falls does not return",
      position = { a4 = "r3", b1 = "rF", b4 = "rD", a5 = "bM", b10 = "bF" },
      move = "a4xa5", falls = "r3", after = { a1 = false, a4 = false, a5 = "bM" },
    },
    {
      title = "A piece returns once",
      position = { a1 = "rF", j7 = "rM", i10 = "r9", j8 = "b3", j9 = "bD", a8 = "b2", a10 = "bF" },
      moves = "j7xj8 a8-a7", move = "i10xj10", falls = "b3", after = { j10 = "r9", i10 = false },
    },
  },
}
