-- Raider: attacks if the odds are good, otherwise moves towards the nearest enemy.
-- It scores each move on its own and plays the one with the highest score.
local best = require "toolkit.best"

local bot = {
  api = 1, title = "Raider",
  about = "attacks anything it hopes to beat",
}

function bot.setup(view)
  return view:random_setup()
end

-- The distance of every square from the nearest enemy.
local function distances_to_enemies(view)
  local squares = {}
  for i, enemy in ipairs(view:enemies()) do squares[i] = view:where(enemy) end
  return view:distances(squares)
end

-- The value of a guess, or of returning a piece.
local function score_ability(view, move)
  local removes = view:removes(move)
  if removes > 0 then return 12 * removes - 2 end
  return 10 * view:places(move) - 5
end

local function score(view, move, distance)
  local from, to = view:from(move), view:to(move)
  if view:ability(move) then return score_ability(view, move) end
  local enemy = view:at(to)
  if enemy then
    -- An even battle beats waiting, and after many plies without an attack so does almost any.
    local win, _, loss = view:odds(view:at(from), enemy)
    return 10 * (win - loss) + 3 + view:quiet() / 10
  end
  return distance[from] - distance[to]
end

function bot.move(view)
  local distance = distances_to_enemies(view)
  return (best(view:moves(), function(move)
    return score(view, move, distance) + 2 * view:random()
  end))
end

return bot
