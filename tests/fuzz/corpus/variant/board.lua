return {
  api = 1, extends = "original", title = "Pocket",
  board = { files = 6, ranks = 6, lakes = { "c3", "d4" } },
  zone = { ranks = 2, filled = false },
  army = { bomb = 1, scout = 2, miner = 1, sergeant = 1, lieutenant = 0, captain = 0, major = 0, colonel = 0 },
}
