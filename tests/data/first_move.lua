-- A bot that always makes the first of its legal moves.
local bot = { api = 1, title = "First move" }

function bot.move(view)
  return view:moves()[1]
end

return bot
