-- The old numbering: the marshal is 1, the scout 9. Only what people read and type differs; a
-- marshal still beats a general.
return {
  api = 1, extends = "original",
  title = "Milton Bradley",
  edition = "the Croatian sheet: 1 is the highest rank",
  pieces = {
    scout      = { letter = "9" },
    miner      = { letter = "8" },
    sergeant   = { letter = "7" },
    lieutenant = { letter = "6" },
    captain    = { letter = "5" },
    major      = { letter = "4" },
    colonel    = { letter = "3" },
    general    = { letter = "2" },
    marshal    = { letter = "1", label = "1" },
  },
  first = "chosen",
  -- The sheet has no rule against repetition.
  two_squares = false,
  chase = false,
}
