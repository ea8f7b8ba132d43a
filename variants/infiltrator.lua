-- A saboteur replaces one scout.
return {
  api = 1, extends = "original",
  title = "Infiltrator",
  edition = "a saboteur removes enemy pieces that it guesses (as printed in Bulgaria)",
  army = { scout = 7, saboteur = 1 },
  -- The sheet does not say whether a saboteur can aim past a piece. Here it can, but not past a
  -- lake. In ordinary attacks it and the spy, both of rank 1, fall together.
  pieces = { saboteur = require "pieces.saboteur" },
  tests = {
    {
      title = "A right guess removes any piece; the saboteur stays and is known",
      position = { e7 = "rX", e9 = "bB", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "e7@e9=bomb", falls = "bB", after = { e7 = "rX", e9 = false }, known = "e7",
    },
    {
      title = "After a wrong guess both stay, and the saboteur is known",
      position = { e7 = "rX", e9 = "bB", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "e7@e9=marshal", falls = "", after = { e7 = "rX", e9 = "bB" }, known = "e7",
    },
    {
      title = "Naming the flag wins the game",
      position = { e9 = "rX", e10 = "bF", f1 = "rF", j10 = "b2" },
      move = "e9@e10=flag", falls = "bF", result = "red", reason = "flag",
    },
    {
      title = "It can aim past a piece",
      position = { e7 = "rX", e8 = "b4", e9 = "bM", f1 = "rF", f10 = "bF" },
      move = "e7@e9=marshal", falls = "bM",
    },
    {
      title = "Only on the enemy's set-up ranks",
      position = { e6 = "rX", e8 = "bM", f1 = "rF", f10 = "bF" },
      move = "e6@e8=marshal", illegal = "ability",
    },
    {
      title = "Along a rank or file, at most two squares away",
      position = { e7 = "rX", f8 = "bM", f1 = "rF", f10 = "bF" },
      move = "e7@f8=marshal", illegal = "ability",
    },
    {
      title = "In an ordinary attack it falls together with a spy",
      position = { e7 = "rX", e8 = "bS", f1 = "rF", f10 = "bF", a1 = "r2", j10 = "b2" },
      move = "e7xe8", falls = "rX bS",
    },
  },
}
