-- Plays as much by chance as toolkit.admiral lets it, for tests: it faults when an attack that is
-- known to lose is chosen although other moves that may be played are valued higher.
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

-- Is nothing valued higher of what may be played: what presses on, if a lead has to be used?
local function is_best(view, move)
  local chances, presses = mind:chances(), mind:presses()
  local of_move, most, most_pressing = 0, 0, 0
  for i, other in ipairs(view:moves()) do
    most = math.max(most, chances[i])
    if presses and presses[i] then most_pressing = math.max(most_pressing, chances[i]) end
    if other == move then of_move = chances[i] end
  end
  return of_move == (most_pressing > 0 and most_pressing or most)
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
