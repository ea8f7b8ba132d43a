-- A bot that never comes to an end: its fuel does.
local bot = { api = 1, title = "Endless" }

function bot.move()
  while true do end
end

return bot
