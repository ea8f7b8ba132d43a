return { api = 1, extends = "barrage", title = "x", board = { files = 17, ranks = 8 } }
