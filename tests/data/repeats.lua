-- For tests/lib/test_equal.c: positions repeat for long, and a goal ends the game at once.
return {
  api = 1, extends = "duel",
  title = "Repeats",
  two_squares = false, chase = false, repetition = 9,
  limits = { no_attack = false },
  goal = { { piece = { "scout", "miner" }, at = { "a7", "e6", "j6" } } },
}
