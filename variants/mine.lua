-- Mine: a game of your own. What is not said here is as in theirs.
-- Lines whose dashes have no blank behind them are more to try: take the dashes away.
-- Everything else there is: variants/README.md

return {
  api = 1,
  extends = "theirs",
  title = "Mine",

  -- How many of each piece a side has; what is not named stays, and 0 takes a piece out.
  army = { scout = 1, rider = 1 },

  pieces = {
    -- A piece of your own. The letter must be one that no other piece has.
    rider = {
      letter = "R",
      rank = 3, -- the higher rank wins a battle; equal ranks fall together
      moves = { reach = 2, turns = true }, -- two squares, round a corner too; or "step", "run"
      --beats = { "marshal" }, -- when it attacks, it wins against these whatever the ranks
      --names = { es = "Mi pieza" }, -- what it is called in other languages

      -- Something that it can do instead of moving, twice in a game: look at a neighbour.
      --abilities = {
        --look = {
          --limit = 2,
          --targets = function(board, _, from) return board:neighbours(from) end,
          --resolve = function() return { reveal = "target" } end,
        --},
      --},
    },
  },

  --two_squares = 2, -- how often a piece may go to and fro between two squares; or false
  --limits = { no_attack = 60 }, -- a draw after so many turns without an attack; or false
}
