return { api = 1, extends = "quick",
  combat = function(a, d) return a.rank == d.rank and "ask" or "both" end,
  calls = { battle = function(_, move) return move.side == "red" and "attacker" or "both" end,
    after_battle = function(_, move) return { { conceal = move.to }, { win = move.side } } end } }
