-- A bot that breaks when the game is over.
local bot = { api = 1, title = "Late" }

function bot.move(view)
  return view:moves()[1]
end

function bot.finish(view)
  return view.nothing.here
end

return bot
