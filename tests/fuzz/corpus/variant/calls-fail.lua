return { api = 1, extends = "duel", calls = {
  legal = function(position, move) return not position:has_moved(move.from), "once" end,
  turn_start = function(position) return position:plies() > 5 and { remove = "e5" } or nil end,
  ending = function(position) return position:captured("red", "flag") > 0 and "blue" or nil end } }
