-- Seer: samples armies that the enemy may have, searches a few plies ahead in each, and combines
-- the result with hunter's score of the move.
--
-- The search knows every piece of a sample, so it finds traps and exchanges but misses risks; the
-- score knows the risks but does not look ahead. A move gets half of each, and the pull of distant
-- targets in full.
local layout = require "toolkit.layout"
local prospects = require "toolkit.prospects"
local reasons = require "toolkit.reasons"

local bot = {
  api = 1, title = "Seer",
  about = "imagines your army and looks ahead, and takes longer",
}

local SAMPLES = 12     -- armies sampled in a turn
local DEPTH = 3        -- plies of search: our move, the reply, our next move; then exchanges
local NODES = 40000    -- moves that the search plays at most in one army
local WIDTH = 40       -- moves that are searched: those with the best scores
local WIN = 30         -- value of taking the flag, in units of worth
local RESERVE = 10e6   -- fuel to keep: sampling stops if another sample would go below it

local hope             -- scores moves: scripts/toolkit/prospects.lua
local values           -- worth of the pieces, for the search
local game             -- the sample, drawn again into the same memory
local scores           -- of the moves of this turn

function bot.setup(view)
  return layout(view)
end

function bot.start(view)
  hope = prospects(view)
  local worth = {}
  for kind, value in pairs(hope.worth) do
    worth[kind] = view:is_flag(kind) and 0 or value -- losing it loses the game: WIN
  end
  values = view:values { worth = worth, win = WIN }
end

-- Most players put the flag on the back rank and no immobile pieces at the front.
local function likely(view, enemy, kind)
  local depth = view:ranks() + 1 - view:depth(view:start_of(enemy)) -- as the enemy counts ranks
  if view:is_flag(kind) then return 0.1 ^ (depth - 1) end
  if not view:mobile(kind) and depth == view:zone_ranks() then return 0.3 end
  return 1
end

-- Samples armies by the same weights.
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

-- The moves with the best scores, best first, and their scores.
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

-- The average search value of each move over all samples.
local function look_ahead(view, moves)
  local sums, samples, cost = {}, 0, 0
  for i = 1, #moves do sums[i] = 0 end
  weigh(view)
  while samples < SAMPLES and view:fuel() > RESERVE + cost do
    local before = view:fuel()
    game = view:sample(game)
    game:score(moves, sums, values, DEPTH, NODES)
    samples, cost = samples + 1, before - view:fuel()
  end
  for i = 1, #moves do sums[i] = sums[i] / math.max(1, samples) end
  return sums
end

function bot.move(view)
  hope:read(view, likely)
  local moves, promises = shortlist(view)
  local best = 1
  scores = { [moves[1]] = promises[1] }
  if #moves > 1 then
    local outlook = look_ahead(view, moves)
    for i = 1, #moves do
      scores[moves[i]] = promises[i] + 0.5 * outlook[i]
      if scores[moves[i]] > scores[moves[best]] then best = i end
    end
  end
  return moves[best]
end

function bot.explain(view)
  return reasons(view, scores, hope.worth)
end

function bot.observe(view, event)
  hope:observe(view, event)
end

return bot
