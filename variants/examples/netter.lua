-- A netter throws its only net over a neighbour: that piece may not move in its side's next two
-- turns. The netter itself rests for one turn.
return {
  api = 1, extends = "duel",
  title = "Netters",
  army = { scout = 1, netter = 2 },
  pieces = {
    netter = {
      letter = "N", rank = 1,
      names = { en = "Netter", bg = "Мрежар", es = "Retiario", hr = "Mrežar", ru = "Ретиарий",
                uk = "Ретіарій" },
      abilities = {
        net = {
          each = 1,
          rest = 1,
          targets = function(board, _, from) return board:neighbours(from) end,
          resolve = function() return { hold = 2 } end,
        },
      },
    },
  },
  tests = {
    {
      title = "A piece under the net does not move",
      position = { e4 = "rN", e5 = "bM", h2 = "r3", a1 = "rF", j10 = "bF", j8 = "b2" },
      moves = "e4@e5", move = "e5xe4", illegal = "held",
    },
    {
      title = "Nor in the turn after that",
      position = { e4 = "rN", e5 = "bM", h2 = "r3", a1 = "rF", j10 = "bF", j8 = "b2" },
      moves = "e4@e5 j8-j7 h2-h3", move = "e5-f5", illegal = "held",
    },
    {
      title = "Then it does",
      position = { e4 = "rN", e5 = "bM", h2 = "r3", a1 = "rF", j10 = "bF", j8 = "b2" },
      moves = "e4@e5 j8-j7 h2-h3 j7-j6 h3-h4", move = "e5xe4", falls = "rN",
    },
    {
      title = "The netter rests",
      position = { e4 = "rN", e5 = "bM", h2 = "r3", a1 = "rF", j10 = "bF", j8 = "b2" },
      moves = "e4@e5 j8-j7", move = "e4-e3", illegal = "held",
    },
    {
      title = "A netter has one net",
      position = { e4 = "rN", e5 = "bM", h2 = "r3", a1 = "rF", j10 = "bF", j8 = "b2" },
      moves = "e4@e5 j8-j7 h2-h3 j7-j6", move = "e4@e5", illegal = "ability",
    },
    {
      title = "Another netter has its own",
      position = { e4 = "rN", f5 = "rN", e5 = "bM", a1 = "rF", j10 = "bF", j8 = "b2" },
      moves = "e4@e5 j8-j7", move = "f5@e5", falls = "",
    },
    {
      title = "A netted piece can be attacked",
      position = { e4 = "rN", e5 = "b9", f5 = "rM", a1 = "rF", j10 = "bF", j8 = "b2" },
      moves = "e4@e5 j8-j7", move = "f5xe5", falls = "b9",
    },
  },
}
