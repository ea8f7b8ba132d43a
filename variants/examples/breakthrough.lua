-- A second way to win: bring a piece other than a scout to the enemy's back rank. calls.ending is
-- called when a game begins and after every turn; it returns the winner or "draw", and the words
-- for it, or nil while the game goes on.
local words = {
  en = "A piece has reached the enemy's back rank.",
  bg = "Фигура достигна задния ред на противника.",
  es = "Una pieza ha llegado a la última fila del enemigo.",
  hr = "Figura je stigla do protivnikova zadnjeg reda.",
  ru = "Фигура дошла до последнего ряда противника.",
  uk = "Фігура дійшла до останнього ряду супротивника.",
}

local function ending(position)
  for side, enemy in pairs { red = "blue", blue = "red" } do
    for _, at in ipairs(position:squares(side)) do
      if position:board():back_rank(enemy, at) and position:kind_at(at) ~= "scout" then
        return side, words
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
      ending = "A piece has reached the enemy's back rank.",
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
