-- Twenty besiegers in the corners against eight defenders in a keep. Each side has an army and a
-- zone of its own; the keep has a hole, and both flags have places where they may start.
return {
  api = 1, extends = "original",
  title = "Siege",
  board = { files = 9, ranks = 9, lakes = {} },
  zone = {
    filled = false,
    red = { squares = {
      "a1", "b1", "c1", "a2", "b2", "c2", "g1", "h1", "i1", "g2", "h2", "i2",
      "a8", "b8", "c8", "a9", "b9", "c9", "g8", "h8", "i8", "g9", "h9", "i9",
    } },
    blue = { squares = { "d4", "e4", "f4", "d5", "f5", "d6", "e6", "f6" } },
  },
  army = {
    flag = 1, bomb = 0, marshal = 0, general = 0, colonel = 0, major = 0,
    red = { captain = 2, lieutenant = 3, sergeant = 4, miner = 3, scout = 6, spy = 1 },
    blue = { marshal = 1, general = 1, captain = 2, lieutenant = 0, sergeant = 2, miner = 0,
             scout = 1, spy = 0 },
  },
  pieces = {
    flag = { start = { red = { "a1", "i1", "a9", "i9" }, blue = { "e4", "e6" } } },
  },
  tests = {
    {
      title = "Both armies stand in zones of their own",
      position = { a1 = "rF", e4 = "bF", f4 = "bM", c2 = "r2" },
      move = "c2-c9", after = { c9 = "r2", c2 = false },
    },
  },
}
