-- The boards of the stock games.
local boards = {}

-- 10 x 10, with two lakes of 2 x 2 in the middle.
boards.standard = {
  files = 10, ranks = 10,
  lakes = { "c5", "c6", "d5", "d6", "g5", "g6", "h5", "h6" },
}

-- 10 x 8; the sheet calls the lakes craters.
boards.galaxy = {
  files = 10, ranks = 8,
  lakes = { "c4", "c5", "d4", "d5", "g4", "g5", "h4", "h5" },
}

-- 8 x 8, with two narrow lakes.
boards.quick = {
  files = 8, ranks = 8,
  lakes = { "c4", "c5", "f4", "f5" },
}

return boards
