-- Pieces that never move and yet act: a bomb in the corner brings fallen comrades back beside it.
local function targets(board, side, from)
  local corner = side == "red" and "a1" or "j10"
  return from == board:square(corner) and board:neighbours(from) or {}
end

local function resolve()
  return { place = true }
end

return {
  api = 1, extends = "original",
  title = "Hospital",
  pieces = {
    bomb = {
      abilities = {
        revive = {
          asks = "captured", when = { "instead" }, aims = "empty", attacks = false,
          except = { "bomb", "flag" }, targets = targets, resolve = resolve,
        },
      },
    },
  },
}
