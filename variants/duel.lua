-- Ten pieces a side, anywhere in the zone: half an hour becomes ten minutes.
return {
  api = 1, extends = "original",
  title = "Duel",
  edition = "the Bulgarian sheet's duel",
  zone = { filled = false },
  -- The sheet forgets the general and one miner; without them the army is not the ten pieces that
  -- it announces.
  army = require("armies").duel,
}
