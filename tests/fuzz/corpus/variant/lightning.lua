return { api = 1, extends = "lightning", title = "L", army = { captain = 5 } }
