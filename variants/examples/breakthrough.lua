-- There is a second way to win: to bring a piece to the enemy's back rank; scouts are too fast to
-- count. calls.ending is asked when a game begins and after every turn, and names the winner,
-- "draw", or nothing.
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
  note = "A side whose piece, not a scout, reaches the enemy's back rank has won.",
  calls = { ending = ending },
  tests = {
    {
      title = "Who breaks through has won",
      position = { a1 = "rF", a9 = "r3", h9 = "bM", j10 = "bF" },
      move = "a9-a10", result = "red", reason = "variant",
    },
    {
      title = "A scout does not count",
      position = { a1 = "rF", a9 = "r2", h9 = "bM", j10 = "bF" },
      move = "a9-a10", result = "none",
    },
    {
      title = "One's own back rank is no goal",
      position = { a1 = "rF", b2 = "r3", h9 = "bM", j10 = "bF" },
      move = "b2-b1", result = "none",
    },
  },
}
