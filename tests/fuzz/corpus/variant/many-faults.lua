local t = { api = 1, extends = "duel", tests = { { title = "a", sen = 4, after = { [1] = "x" } }, 5 } }
t.pieces = { spy = { moves = { reach = 99, turn = true }, sight = "far", beats = { "a", 3, x = 1 } }, ["B d"] = {}, x = 5 }
t.army = { spy = "x", [2] = 4, unknown = 3, scout = 200 }
t.board = { files = 300, ranks = -1, lakes = { "z9" }, [true] = 1 }
t[1] = 2
t.combat = function() error({}) end
return t
