-- The old numbering: the marshal is 1, the scout 9. Only letters and labels differ; a marshal still
-- beats a general.
return {
  api = 1, extends = "original",
  title = "Milton Bradley",
  edition = "1 is the highest rank, moves may be repeated (as printed in Croatia)",
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
  tests = {
    {
      title = "The marshal is 1, and beats the general, who is 2",
      position = { a4 = "r1", a5 = "b2", f1 = "rF", f10 = "bF", j10 = "b9" },
      move = "a4xa5", falls = "b2", after = { a5 = "r1" },
    },
    {
      title = "The scout is 9 and runs",
      position = { a4 = "r9", f1 = "rF", f10 = "bF", j10 = "b8" },
      move = "a4-a8", known = "a8",
    },
    {
      title = "Pieces go to and fro without a limit",
      position = { a4 = "r2", f1 = "rF", f10 = "bF", j10 = "b8" },
      moves = "a4-a5 j10-j9  a5-a4 j9-j10  a4-a5 j10-j9  a5-a4 j9-j10  a4-a5 j10-j9",
      move = "a5-a4",
    },
    {
      title = "Blue may begin",
      position = { a4 = "r2", f1 = "rF", f10 = "bF", j10 = "b8" }, first = "blue",
      move = "j10-j9",
    },
  },
}
