-- Ten pieces a side, anywhere in the zone: a game takes ten minutes, not half an hour.
return {
  api = 1, extends = "original",
  title = "Duel",
  edition = "10 pieces a side on the full board (as printed in Bulgaria)",
  zone = { filled = false },
  -- The sheet's list lacks the general and one miner; with them the army has the ten pieces that
  -- the sheet announces.
  army = require("armies").duel,
  tests = {
    {
      title = "Ten pieces stand anywhere in the zone",
      red = "M..2....../...9..2.../3.S......3/....BFB...",
      blue = "M........./......9.../3.S...22.3/B...F...B.",
      move = "a4-a5", after = { a5 = "rM", j7 = "bM", f10 = "bF" }, known = "",
    },
  },
}
