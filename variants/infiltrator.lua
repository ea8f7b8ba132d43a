-- One scout gives its place to a saboteur.
return {
  api = 1, extends = "original",
  title = "Infiltrator",
  edition = "the Bulgarian sheet's infiltrator",
  army = { scout = 7, saboteur = 1 },
  -- The sheet does not say whether a saboteur reaches past a piece: here it does, but not past a
  -- lake. In an ordinary attack it and the spy, both of rank 1, fall together.
  pieces = { saboteur = require "pieces.saboteur" },
}
