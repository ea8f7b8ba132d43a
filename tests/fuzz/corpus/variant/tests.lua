return { api = 1, extends = "duel", tests = {
  { title = "a", position = { a4 = "rM", a5 = "b9", f1 = "rF" }, first = "red", moves = "1. a4xa5",
    move = "a5-a6", falls = "", after = { a6 = "rM", a5 = false }, known = "a6", seen = "a6", result = "red" },
  { title = "b", red = "M..2....../...9..2.../3.S......3/....BFB...", blue = "M", move = "a4-a4" },
  { title = "c", position = "....", move = "x", illegal = "texts" },
  { title = "d", position = { j10 = "bF", z1 = "rM" }, falls = "rM b", reason = "flag" } } }
