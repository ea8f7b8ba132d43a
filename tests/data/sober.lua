-- Plays as much by chance as toolkit.admiral lets it, for tests: it faults when an attack that is
-- known to lose is chosen although other moves are valued higher.
local admiral = require "toolkit.admiral"
local learned_for = require "learned"

local bot = { api = 1, title = "Sober" }
local learned, inner -- one style, whose values both go by
local mind

function bot.setup(view)
  learned = learned_for(view)
  inner = admiral { chance = 1000, learned = learned }
  return inner.setup(view)
end

function bot.start(view)
  inner.start(view)
  mind = view:mind(learned)
end

local function is_best(view, move)
  local chances, chosen, most = mind:chances(), 0, 0
  for i, other in ipairs(view:moves()) do
    most = math.max(most, chances[i])
    if other == move then chosen = chances[i] end
  end
  return chosen == most
end

function bot.move(view)
  local move = inner.move(view)
  if view:is_attack(move) then
    local _, _, loss = view:odds(view:at(view:from(move)), view:at(view:to(move)))
    assert(loss < 1 or is_best(view, move), "attacks what it knows to be stronger")
  end
  return move
end

return bot
