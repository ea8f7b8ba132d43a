return { api = 1, extends = "barrage", titel = "x" }
