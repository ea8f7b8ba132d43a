return { api = 1, extends = "barrage", title = "x", board = { files = 0, ranks = 0, lakes = {} } }
