-- Plays random games together; answers with the moves that they took, in place of its own.
return {
  api = 1,
  move = function(view)
    local _, _, _, _, plies = view:sample():playouts { count = 4000 }
    return tostring(plies)
  end,
}
