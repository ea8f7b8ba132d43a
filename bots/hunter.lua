-- Hunter: weighs each attack by the possible kinds of the enemy, keeps out of danger, and moves its
-- pieces towards enemies that they can expect to beat.
-- It plays the move with the highest score; scripts/toolkit/prospects.lua computes the scores.
local best = require "toolkit.best"
local layout = require "toolkit.layout"
local prospects = require "toolkit.prospects"

local bot = {
  api = 1, title = "Hunter", level = "medium",
  about = "weighs every battle and keeps out of danger",
}
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
