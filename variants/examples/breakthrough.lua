-- A second way to win: bring a piece other than a scout to the enemy's back rank. calls.ending is
-- called when a game begins and after every turn; it returns the winner, "draw", or nil while the
-- game goes on.
local function ending(position)
  for side, enemy in pairs { red = "blue", blue = "red" } do
    for _, at in ipairs(position:squares(side)) do
      if position:board():back_rank(enemy, at) and position:kind_at(at) ~= "scout" then
        return side
      end
    end
  end
end

return {
  api = 1, extends = "duel",
  title = "Breakthrough",
  note = "A side wins when one of its pieces other than a scout reaches the enemy's back rank.",
  calls = { ending = ending },
  tests = {
    {
      title = "Breaking through wins",
      position = { a1 = "rF", a9 = "r3", h9 = "bM", j10 = "bF" },
      move = "a9-a10", result = "red", reason = "variant",
    },
    {
      title = "A scout does not count",
      position = { a1 = "rF", a9 = "r2", h9 = "bM", j10 = "bF" },
      move = "a9-a10", result = "none",
    },
    {
      title = "A side's own back rank does not count",
      position = { a1 = "rF", b2 = "r3", h9 = "bM", j10 = "bF" },
      move = "b2-b1", result = "none",
    },
  },
}
