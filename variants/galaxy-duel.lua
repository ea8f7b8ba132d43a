-- Ten pieces a side on the galaxy board, anywhere in the zone.
return {
  api = 1, extends = "galaxy",
  title = "Galaxy duel",
  edition = "the Spanish sheet's duel",
  zone = { filled = false },
  army = require("armies").galaxy_duel,
}
