-- A piece that is hemmed in surrenders: it falls at the start of its side's turn if the enemy holds
-- every square next to it. calls.turn_start is called before every turn but the first.
local function is_hemmed_in(position, enemy, square)
  for _, at in ipairs(position:board():neighbours(square)) do
    local _, side = position:kind_at(at)
    if side ~= enemy then return false end
  end
  return true
end

local function turn_start(position)
  local side = position:to_move()
  local enemy = side == "red" and "blue" or "red"
  local effects = {}
  for _, at in ipairs(position:squares(side)) do
    local kind = position:kind_at(at)
    if kind ~= "flag" and kind ~= "bomb" and is_hemmed_in(position, enemy, at) then
      effects[#effects + 1] = { remove = at }
    end
  end
  return effects
end

return {
  api = 1, extends = "quick",
  title = "Cordon",
  note = "A piece other than a bomb or the flag falls at the start of its side's turn if the enemy "
    .. "holds every square next to it.",
  calls = { turn_start = turn_start },
  tests = {
    {
      title = "In a corner two enemies are enough",
      position = { a1 = "bM", a2 = "r3", b2 = "r2", d1 = "rF", d8 = "bF", e7 = "b2" },
      move = "b2-b1", falls = "bM", after = { a1 = false },
    },
    {
      title = "A free square saves it",
      position = { a1 = "bM", a2 = "r3", c2 = "r2", d1 = "rF", d8 = "bF", e7 = "b2" },
      move = "c2-b2", falls = "", after = { a1 = "bM" },
    },
    {
      title = "A bomb does not surrender",
      position = { a1 = "bB", a2 = "r3", b2 = "r2", d1 = "rF", d8 = "bF", e7 = "b2" },
      move = "b2-b1", falls = "", after = { a1 = "bB" },
    },
  },
}
