-- Seer: imagines armies that the enemy may have, looks some moves ahead in each, and joins what it
-- sees there with hunter's reckoning of what a move promises.
--
-- The search knows every piece of an imagined army, so it sees traps and exchanges but not risks;
-- the reckoning knows the risks but not the next move. Each move's number is half of one and half
-- of the other, and the pull of distant goals.
local layout = require "toolkit.layout"
local prospects = require "toolkit.prospects"

local bot = { api = 1, title = "Seer" }

local SAMPLES = 12     -- armies imagined in a turn
local DEPTH = 3        -- plies looked ahead: our move, the answer, our next; then exchanges
local NODES = 1000     -- moves that are played at most to look ahead from one move
local WIDTH = 40       -- moves that are looked at, the most promising
local WIN = 30         -- what taking the flag is worth, in units of worth
local RESERVE = 10e6   -- fuel that is kept: no further army is imagined with less

local hope             -- what moves promise: scripts/toolkit/prospects.lua
local values           -- what the search thinks pieces are worth
local game             -- the imagined game, used again and again

function bot.setup(view)
  return layout(view)
end

function bot.start(view)
  hope = prospects(view)
  local worth = {}
  for kind, value in pairs(hope.worth) do
    worth[kind] = view:is_flag(kind) and 0 or value -- losing it is losing the game
  end
  values = view:values { worth = worth, win = WIN }
end

-- Nearly everybody keeps the flag on the back rank, and what cannot move away from the front.
local function likely(view, enemy, kind)
  local depth = view:ranks() + 1 - view:depth(view:start_of(enemy)) -- as the enemy counts
  if view:is_flag(kind) then return 0.1 ^ (depth - 1) end
  if not view:mobile(kind) and depth == view:zone_ranks() then return 0.3 end
  return 1
end

-- Draws the imagined armies by the same habits.
local function weigh(view)
  local weights, rows = {}, {}
  for _, enemy in ipairs(view:enemies()) do
    if not view:kind(enemy) and not view:moved(enemy) then
      local depth = view:depth(view:start_of(enemy))
      if not rows[depth] then
        rows[depth] = {}
        for _, kind in ipairs(view:kinds()) do rows[depth][kind] = likely(view, enemy, kind) end
      end
      weights[enemy] = rows[depth]
    end
  end
  view:weigh(weights)
end

-- The most promising moves, best first, and what they promise.
local function shortlist(view)
  local list, moves, promises = {}, {}, {}
  for i, move in ipairs(view:moves()) do
    list[i] = { move = move, promise = hope:score(view, move, 0.5) }
  end
  table.sort(list, function(a, b)
    if a.promise ~= b.promise then return a.promise > b.promise end
    return a.move < b.move
  end)
  for i = 1, math.min(#list, WIDTH) do
    moves[i], promises[i] = list[i].move, list[i].promise
  end
  return moves, promises
end

-- What becomes of each move on average, over all armies that were imagined.
local function look_ahead(view, moves)
  local sums, samples = {}, 0
  for i = 1, #moves do sums[i] = 0 end
  weigh(view)
  while samples < SAMPLES and view:fuel() > RESERVE do
    game = view:sample(game)
    game:score(moves, sums, values, DEPTH, NODES)
    samples = samples + 1
  end
  for i = 1, #moves do sums[i] = sums[i] / math.max(1, samples) end
  return sums
end

function bot.move(view)
  hope:read(view, likely)
  local moves, promises = shortlist(view)
  local best = 1
  if #moves > 1 then
    local outlook = look_ahead(view, moves)
    for i = 2, #moves do
      if promises[i] + 0.5 * outlook[i] > promises[best] + 0.5 * outlook[best] then best = i end
    end
  end
  return moves[best]
end

function bot.observe(view, event)
  hope:observe(view, event)
end

return bot
