-- Plays random games together; returns their number of plies instead of a move.
return {
  api = 1,
  move = function(view)
    local _, _, _, _, plies = view:sample():playouts { count = 4000 }
    return tostring(plies)
  end,
}
