-- A bot with a mistake that shows only in play.
local bot = { api = 1, title = "Mistaken" }

function bot.move(view)
  return view.nothing.here
end

return bot
