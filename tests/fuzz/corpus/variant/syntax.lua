return { api = 1, extends = "barrage" title = "x" }
