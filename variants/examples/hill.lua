-- Two other ways to win, without a call: hold one of the four hills for three turns of your side,
-- or bring the standard to the enemy's back rank and keep it there until your next turn. A
-- position that comes up for the third time is a draw.
return {
  api = 1, extends = "duel",
  title = "The hills",
  army = { standard = 1 },
  pieces = {
    standard = {
      letter = "T", rank = 1,
      names = { en = "Standard", bg = "Щандарт", es = "Estandarte", hr = "Stijeg", ru = "Штандарт",
                uk = "Штандарт" },
    },
  },
  goal = {
    { at = { "e5", "f5", "e6", "f6" }, after = 3 },
    { piece = "standard", at = "far_rank", after = 1 },
  },
  repetition = 3,
  tests = {
    {
      title = "A piece that still stands on a hill when its side's third turn begins has won",
      position = { f1 = "rF", e5 = "rM", a1 = "r2", f10 = "bF", j9 = "b3" },
      moves = "e5-e6 j9-j8 a1-a2 j8-j7 a2-a3", move = "j7-j6", result = "red", reason = "goal",
    },
    {
      title = "The turns count afresh when it moves, even to another hill",
      position = { f1 = "rF", e5 = "rM", a1 = "r2", f10 = "bF", j9 = "b3" },
      moves = "a1-a2 j9-j8 a2-a3 j8-j7 e5-e6", move = "j7-j6", result = "none",
    },
    {
      title = "The standard wins when its side's next turn begins",
      position = { f1 = "rF", a9 = "rT", f10 = "bF", j9 = "b3" },
      moves = "a9-a10", move = "j9-j8", result = "red", reason = "goal",
    },
    {
      title = "Nobody has been told that it was the standard",
      position = { f1 = "rF", a9 = "rT", f10 = "bF", j9 = "b3" },
      move = "a9-a10", result = "none", known = "",
    },
    {
      title = "It can be taken before that",
      position = { f1 = "rF", a9 = "rT", e1 = "r2", f10 = "bF", b10 = "b3", j9 = "b3" },
      moves = "a9-a10", move = "b10xa10", falls = "rT", result = "none",
    },
    {
      title = "A position that comes up for the third time is a draw",
      position = { f1 = "rF", a1 = "r3", b1 = "r2", f10 = "bF", j10 = "b3", i10 = "b2" },
      moves = "a1-a2 j10-j9 a2-a1 j9-j10 b1-b2 i10-i9 b2-b1", move = "i9-i10",
      result = "draw", reason = "repetition",
    },
  },
}
