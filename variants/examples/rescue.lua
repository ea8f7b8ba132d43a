-- Lightning's rescue in another game: a miner that reaches the enemy's back rank returns one fallen
-- piece. An ability's targets and effects are tabulated when the variant is loaded. Since this one
-- asks for "captured", the core lists the pieces that can return.
local rescue = require "abilities.rescue"

return {
  api = 1, extends = "duel",
  title = "Rescue",
  pieces = {
    miner = { abilities = { rescue = rescue { limit = 1, except = { "bomb", "flag" } } } },
  },
  tests = {
    {
      title = "A miner on the enemy's back rank returns a fallen piece, face down",
      position = { a1 = "rF", a9 = "r3", e4 = "r2", d7 = "bM", j10 = "bF" },
      moves = "e4-e7 d7xe7", move = "a9-a10@b1=scout", after = { a10 = "r3", b1 = "r2" },
    },
    {
      title = "Once a game",
      position = { a1 = "rF", a9 = "r3", b9 = "r3", e4 = "r2", e7 = "bM", j10 = "bF" },
      moves = "e4xe7 e7-e6 a9-a10@b1=scout e6-e5", move = "b9-b10@b2=scout", illegal = "ability",
    },
    {
      title = "A piece that has not fallen cannot return",
      position = { a1 = "rF", a9 = "r3", c7 = "bM", j10 = "bF" },
      move = "a9-a10@b1=scout", illegal = "ability",
    },
  },
}
