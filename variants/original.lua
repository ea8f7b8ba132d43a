-- The best-known rules. Most other variants extend this file.
local armies = require "armies"
local boards = require "boards"

return {
  api = 1,
  title = "Original",
  edition = "40 pieces a side, 10 is the highest rank (as printed in Bulgaria)",
  board = boards.standard,
  zone = { ranks = 4, filled = true },
  army = armies.full,
  pieces = require "pieces.standard",
  first = "red",
  two_squares = 3,
  -- The sheet has no rule against endless chases; this is the rule of the International Stratego
  -- Federation.
  chase = "isf",
  tests = {
    {
      title = "The higher rank wins and takes the square; the winner is known from now on",
      position = { a4 = "rM", a5 = "b9", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "a4xa5", falls = "b9", after = { a5 = "rM", a4 = false }, known = "a5",
    },
    {
      title = "A winning defender stays where it is",
      position = { a4 = "r7", a5 = "b9", b4 = "r2", f1 = "rF", f10 = "bF" },
      move = "a4xa5", falls = "r7", after = { a5 = "b9", a4 = false }, known = "a5",
    },
    {
      title = "Equals both fall",
      position = { a4 = "r5", a5 = "b5", b4 = "r2", b7 = "b2", f1 = "rF", f10 = "bF" },
      move = "a4xa5", falls = "r5 b5", after = { a5 = false },
    },
    {
      title = "If the last mobile pieces of both sides fall together, the game is drawn",
      position = { a4 = "r5", a5 = "b5", f1 = "rF", f10 = "bF" },
      move = "a4xa5", result = "draw", reason = "both-immobile",
    },
    {
      title = "A miner removes a bomb",
      position = { a4 = "r3", a5 = "bB", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "a4xa5", falls = "bB", after = { a5 = "r3" },
    },
    {
      title = "Any other attacker of a bomb falls, and the bomb stays",
      position = { a4 = "rM", a5 = "bB", b4 = "r2", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "a4xa5", falls = "rM", after = { a5 = "bB" }, known = "a5",
    },
    {
      title = "A spy that attacks the marshal captures it",
      position = { a4 = "rS", a5 = "bM", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "a4xa5", falls = "bM", after = { a5 = "rS" },
    },
    {
      title = "A marshal that attacks the spy captures it",
      position = { a4 = "rM", a5 = "bS", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "a4xa5", falls = "bS", after = { a5 = "rM" },
    },
    {
      title = "Capturing the flag wins the game",
      position = { a4 = "r2", a9 = "bF", f1 = "rF", j10 = "bM" },
      move = "a4xa9", falls = "bF", result = "red", reason = "flag",
    },
    {
      title = "A scout that runs is known",
      position = { a4 = "r2", f1 = "rF", f10 = "bF", j10 = "b3" },
      move = "a4-a8", after = { a8 = "r2" }, known = "a8",
    },
    {
      title = "A scout that takes one step is not known",
      position = { a4 = "r2", f1 = "rF", f10 = "bF", j10 = "b3" },
      move = "a4-a5", known = "",
    },
    {
      title = "A scout does not jump",
      position = { a4 = "r2", a6 = "r3", f1 = "rF", f10 = "bF", j10 = "b3" },
      move = "a4-a8", illegal = "blocked",
    },
    {
      title = "Pieces cannot enter lakes",
      position = { c4 = "r3", f1 = "rF", f10 = "bF", j10 = "b3" },
      move = "c4-c5", illegal = "lake",
    },
    {
      title = "Bombs do not move",
      position = { a4 = "rB", b4 = "r3", f1 = "rF", f10 = "bF", j10 = "b3" },
      move = "a4-a5", illegal = "immobile-kind",
    },
    {
      title = "A piece cannot go to and fro between two squares a fourth time",
      position = { a4 = "r9", f1 = "rF", f10 = "bF", j10 = "b3" },
      moves = "a4-a5 j10-j9  a5-a4 j9-j8  a4-a5 j8-j7",
      move = "a5-a4", illegal = "two-squares",
    },
    {
      title = "A chase must not return to an earlier position",
      position = { b4 = "r9", a5 = "b7", f1 = "rF", f10 = "bF" },
      moves = "b4-b5 a5-a4  b5-b4 a4-a3  b4-b3 a3-a4  b3-b4 a4-a5",
      move = "b4-b5", illegal = "chase",
    },
  },
}
