-- A bot that says what its chance begins with, and forfeits over it.
local bot = { api = 1, title = "Says its chance" }

function bot.start()
  error(("chance %016x"):format(math.random(0)))
end

function bot.move(view)
  return view:moves()[1]
end

return bot
