-- Eight pieces a side. No sheet prints it: it is played at tournaments and online.
return {
  api = 1, extends = "duel",
  title = "Barrage",
  army = require("armies").barrage,
}
