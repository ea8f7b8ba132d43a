return { api = 1, extends = "fuzz.lua", title = "x" }
