return { api = 1, extends = "quick", title = "C", after_battle = "conceal", two_squares = 5, chase = "russian",
  limits = { plies = 100, no_attack = 20 }, first = "chosen",
  combat = function(a, d) if a.rank > d.rank then return "attacker" end return "both" end }
