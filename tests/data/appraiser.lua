-- A bot that says how its chances stand, for tests: it counts pieces by their strength.
local bot = { api = 1, title = "Appraiser" }
local mind

function bot.start(view)
  local own, enemy = {}, {}
  for _, kind in ipairs(view:kinds()) do
    local worth = 100 + 80 * view:strength(kind)
    own[kind] = { hidden = worth, moved = worth, shown = worth }
    enemy[kind] = { left = -worth }
  end
  mind = view:mind { own = own, enemy = enemy, whole = {}, habits = {} }
end

function bot.move(view)
  local chances, best = mind:chances(), 1
  for i = 2, #chances do
    if chances[i] > chances[best] then best = i end
  end
  return view:moves()[best]
end

function bot.appraise(view)
  return #view:moves() > 0 and mind:chances() or mind:chance()
end

return bot
