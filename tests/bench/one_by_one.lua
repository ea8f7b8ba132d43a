-- Plays random games one by one; returns their number of plies instead of a move.
return {
  api = 1,
  move = function(view)
    local game, total = view:sample(), 0
    for _ = 1, 100 do
      local _, plies = game:playout()
      total = total + plies
    end
    return tostring(total)
  end,
}
