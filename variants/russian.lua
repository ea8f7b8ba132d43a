-- The chase ends after two moves, and a game that nobody can win any more is a draw.
return {
  api = 1, extends = "original",
  title = "Russian",
  edition = "the Russian sheet",
  chase = "russian",
  draw_without = { "miner" },
}
