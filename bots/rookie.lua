-- Rookie: any set-up, any move. The smallest bot there is; every other one should beat it.
local bot = { api = 1, title = "Rookie" }

function bot.setup(view)
  return view:random_setup()
end

function bot.move(view)
  local moves = view:moves()
  return moves[view:random(#moves)]
end

return bot
