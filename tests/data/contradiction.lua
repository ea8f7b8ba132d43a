-- At the third ply it removes what does not stand there.
return {
  api = 1, extends = "duel", title = "Contradiction",
  calls = {
    after_move = function(position)
      if position:plies() == 3 then return { remove = "e5" } end
    end,
  },
}
