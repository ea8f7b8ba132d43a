-- Hunter: weighs each attack by the possible kinds of the enemy, keeps out of danger, and moves its
-- pieces towards enemies that they can expect to beat.
-- It plays the move with the highest score; scripts/toolkit/prospects.lua computes the scores.
local best = require "toolkit.best"
local layout = require "toolkit.layout"
local prospects = require "toolkit.prospects"
local reasons = require "toolkit.reasons"

local bot = {
  api = 1, title = "Hunter",
  about = "weighs every battle and keeps out of danger",
}
local hope
local scores           -- of the moves of this turn

function bot.setup(view)
  return layout(view)
end

function bot.start(view)
  hope = prospects(view)
end

function bot.move(view)
  hope:read(view)
  scores = {}
  return (best(view:moves(), function(move)
    scores[move] = hope:score(view, move)
    return scores[move]
  end))
end

function bot.explain(view)
  return reasons(view, scores, hope.worth)
end

function bot.observe(view, event)
  hope:observe(view, event)
end

return bot
