return { api = 1, extends = "barrage", title = "x", combat = function(a) return a.nothing.at end }
