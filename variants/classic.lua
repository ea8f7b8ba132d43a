-- The same army with looser rules against repetition.
return {
  api = 1, extends = "original",
  title = "Classic",
  edition = "the Ukrainian sheet: to and fro at most five times, no chase rule",
  -- The sheet garbles its sentence on the spy. It can only mean that any other piece that attacks
  -- the spy takes it, which is what ranks say anyway.
  two_squares = 5,
  chase = false,
}
