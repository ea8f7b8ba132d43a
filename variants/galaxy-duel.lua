-- Ten pieces a side on the galaxy board, anywhere in the zone.
return {
  api = 1, extends = "galaxy",
  title = "Galaxy duel",
  edition = "10 pieces a side on the galaxy board (as printed in Spain)",
  zone = { filled = false },
  army = require("armies").galaxy_duel,
  tests = {
    {
      title = "Ten pieces, one of them a spotter, stand anywhere in the zone",
      red = "M..P....../...9..2.../3.S.BFB..3",
      blue = "M..P....../...9..2.../3.S.BFB..3",
      moves = "d3-e3 j6-j5  e3-e4 j5-j4  e4-e5 j4-i4  e5-f5",
      move = "i4-i3", after = { f5 = "rP", i3 = "bM" },
    },
  },
}
