-- Eight pieces a side. It is not in the printed rules; it is played at tournaments and online.
return {
  api = 1, extends = "duel",
  title = "Barrage",
  army = require("armies").barrage,
  tests = {
    {
      title = "Eight pieces stand anywhere in the zone",
      red = "M..2....../...9..2.../3.S......./....BF....",
      blue = "M..2....../...9..2.../3.S......./....BF....",
      move = "a4-a5", after = { a5 = "rM", f1 = "rF", e10 = "bF" },
    },
  },
}
