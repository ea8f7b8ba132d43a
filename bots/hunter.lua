-- Hunter: knows what each piece is worth, weighs every attack by what the other piece may be, keeps
-- out of danger, and walks its pieces towards the enemies that they can expect to beat.
-- How it reckons all that is in scripts/toolkit/prospects.lua; here it plays the highest number.
local best = require "toolkit.best"
local layout = require "toolkit.layout"
local prospects = require "toolkit.prospects"

local bot = { api = 1, title = "Hunter" }
local hope

function bot.setup(view)
  return layout(view)
end

function bot.start(view)
  hope = prospects(view)
end

function bot.move(view)
  hope:read(view)
  return (best(view:moves(), function(move) return hope:score(view, move) end))
end

function bot.observe(view, event)
  hope:observe(view, event)
end

return bot
