-- The same army with looser rules against repetition.
return {
  api = 1, extends = "original",
  title = "Classic",
  edition = "to and fro at most five times, no chase rule (as printed in Ukraine)",
  -- The sheet's sentence about the spy is garbled. It must mean that any other piece that attacks
  -- the spy captures it, which follows from the ranks.
  two_squares = 5,
  chase = false,
  tests = {
    {
      title = "To and fro a fourth time is allowed",
      position = { a4 = "r9", f1 = "rF", f10 = "bF", j10 = "b3" },
      moves = "a4-a5 j10-j9  a5-a4 j9-j8  a4-a5 j8-j7",
      move = "a5-a4",
    },
    {
      title = "A sixth time is not",
      position = { a4 = "r9", f1 = "rF", f10 = "bF", j10 = "b3" },
      moves = "a4-a5 j10-j9  a5-a4 j9-j8  a4-a5 j8-j7  a5-a4 j7-j6  a4-a5 j6-j5",
      move = "a5-a4", illegal = "two-squares",
    },
    {
      title = "A chase may return to an earlier position",
      position = { b4 = "r9", a5 = "b7", f1 = "rF", f10 = "bF" },
      moves = "b4-b5 a5-a4  b5-b4 a4-a3  b4-b3 a3-a4  b3-b4 a4-a5",
      move = "b4-b5",
    },
  },
}
