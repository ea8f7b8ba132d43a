-- admiral(options): a bot that plays by a mind (view:mind): it values what is known, and looks
-- ahead on it. The options are the bot's `title`, `about` and `level`, and
--
--   learned   what `ensign learn` has learned; by default, what there is for the variant
--             (scripts/learned.lua), or else the rules alone. Of several styles it draws one for
--             each game
--   fuel      fuel for looking ahead in a turn: the more of it, the more moves are looked at; 0
--             never looks ahead (default 300,000). With a clock it is no more than the clock allows
--   depth     plies beyond each move (default: by the fuel, 3 to 9)
--   chance    how far a move may fall short by chance, in chances to win when both are as likely to
--             win (default 0: not at all); with it the bot does not look ahead
--   setups    how often it plays a set-up that it has learned, 0 … 1, rather than one by rule of
--             thumb (default 1)
--
-- A turn: the mind values all moves at once. Once a lead has lain idle for long, only those that
-- press on count. The best few are played on against armies drawn by belief; after each round the
-- worse half drops out, so that the fuel goes where the choice is close.
local layout = require "toolkit.layout"
local learned_for = require "learned"
local mirrored = require "toolkit.mirrored"
local reasons = require "toolkit.reasons"
local style = require "toolkit.style"
local worth = require "toolkit.worth"

local WIDTH = 8        -- moves that are looked at; more with more than FUEL
local MARGIN = 0.06    -- a move that is worse by more than this is not; the same
local MOST = 10000     -- armies in a round
local FUEL = 300000    -- for looking ahead in a turn, unless the options say otherwise
local LOOKS = 48       -- looks that there should be fuel for, …
local NEAR, FAR = 3, 9 -- … within these plies beyond a move
local TRUST = 2        -- the mind's own value counts as much as so many armies
local RESERVE = 5e6    -- fuel to keep
local SECOND = 1e8     -- fuel that a clock counts as a second
local TURNS = 40       -- with a clock a turn has a 40th of what is left, and what comes back

-- Is the board the same with left and right exchanged?
local function is_even(view)
  for rank = 1, view:ranks() do
    for file = 1, view:files() do
      local other = view:files() + 1 - file
      if view:is_lake(view:square(file, rank)) ~= view:is_lake(view:square(other, rank)) then
        return false
      end
    end
  end
  return true
end

-- The set-up, or half of the time its mirror image.
local function perhaps_mirrored(view, setup)
  if view:random() < 0.5 or not is_even(view) then return setup end
  return mirrored(setup)
end

-- Numbers of the moves, the best first; equal ones in the order of the moves.
local function by_chance(chances)
  local order = {}
  for i = 1, #chances do order[i] = i end
  table.sort(order, function(a, b)
    if chances[a] ~= chances[b] then return chances[a] > chances[b] end
    return a < b
  end)
  return order
end

-- The moves worth a look: lists of moves and of their values so far, TRUST times; and the highest
-- chance of all. With 16 times the fuel there are twice as many, and they may be twice as bad.
local function shortlist(moves, chances, fuel)
  local order = by_chance(chances)
  local list, sums = {}, {}
  local wider = math.sqrt(math.sqrt(math.max(1, fuel / FUEL)))
  for i = 1, math.min(#order, math.floor(WIDTH * wider)) do
    local chance = chances[order[i]]
    if chance < chances[order[1]] - MARGIN * wider then break end
    list[i], sums[i] = moves[order[i]], TRUST * chance
  end
  return list, sums, chances[order[1]]
end

-- Keeps the better half, but at least two.
local function halve(list, sums)
  local order = by_chance(sums)
  local kept, kept_sums = {}, {}
  for i = 1, math.min(#list, math.max(2, (#list + 1) // 2)) do
    kept[i], kept_sums[i] = list[order[i]], sums[order[i]]
  end
  return kept, kept_sums
end

-- Plies to look beyond each move: as far as there is fuel for LOOKS of them, within limits.
local function depth_for(fuel, ply_fuel)
  return math.max(NEAR, math.min(FAR, fuel // (LOOKS * ply_fuel)))
end

-- The fuel for this turn: what the options give, and with a clock no more than its share.
local function fuel_for(view, options)
  local fuel = options.fuel or FUEL
  local left, increment = view:clock()
  if not left then return fuel end
  return math.min(fuel, math.floor(SECOND * (left / TURNS + increment)))
end

-- Looks ahead in rounds, each of which gets the same part of the fuel; the best move, and how it is
-- valued.
local function look_ahead(view, mind, list, sums, fuel, depth)
  fuel = math.min(fuel, view:fuel() - RESERVE)
  local least = view:fuel() - fuel
  depth = depth or depth_for(fuel, mind:ply_fuel())
  local drawn, rounds, left = TRUST, 1, #list
  while left > 2 do left, rounds = (left + 1) // 2, rounds + 1 end
  while rounds > 0 and fuel > 0 do
    local more = mind:look(list, sums, {depth = depth, armies = MOST, fuel = fuel // rounds})
    if more == 0 then break end
    drawn, rounds = drawn + more, rounds - 1
    list, sums = halve(list, sums)
    fuel = view:fuel() - least
  end
  local best = sums[2] > sums[1] and 2 or 1
  return list[best], sums[best] / drawn
end

-- The moves to choose from, and their chances: those that press on, if a lead has to be used and
-- there are any, else all.
local function choice_of(view, mind)
  local moves, chances = view:moves(), mind:chances()
  local presses = mind:presses()
  if not presses then return moves, chances end
  local kept, kept_chances = {}, {}
  for i = 1, #moves do
    if presses[i] then
      kept[#kept + 1], kept_chances[#kept_chances + 1] = moves[i], chances[i]
    end
  end
  if #kept == 0 then return moves, chances end
  return kept, kept_chances
end

-- Is the move an attack that is known to lose?
local function is_hopeless(view, move)
  if not view:is_attack(move) then return false end
  local _, _, loss = view:odds(view:at(view:from(move)), view:at(view:to(move)))
  return loss == 1
end

-- The best of the moves after a little of chance, the less of it the clearer the game is. An attack
-- that is known to lose is played only if nothing is better: chance makes nobody blind.
local function stumble(view, moves, chances, chance)
  local first = 1
  for i = 2, #moves do
    if chances[i] > chances[first] then first = i end
  end
  local most = chances[first]
  local scale = chance * 4 * (most * (1 - most) + 0.002)
  local best, highest = first, -1
  for i = 1, #moves do
    local value = chances[i] + scale * view:random()
    if value > highest and (i == first or not is_hopeless(view, moves[i])) then
      best, highest = i, value
    end
  end
  return moves[best]
end

return function(options)
  local bot = {
    api = 1, title = options.title, about = options.about, level = options.level,
  }
  local mind
  local scores -- of the moves of this turn, for bot.explain

  local function recall(view)
    if options.learned then return style(view, options.learned) end
    return learned_for(view)
  end

  function bot.setup(view)
    local learned = recall(view)
    local setups = learned and learned.setups
    local by_thumb = options.setups and view:random() >= options.setups
    if by_thumb or not setups or #setups == 0 then return layout(view) end
    return perhaps_mirrored(view, setups[view:random(#setups)])
  end

  function bot.start(view)
    mind = view:mind(recall(view))
  end

  function bot.move(view)
    local moves, chances = choice_of(view, mind)
    scores = {}
    for i = 1, #moves do scores[moves[i]] = 100 * chances[i] end
    if options.chance then return stumble(view, moves, chances, options.chance) end
    local fuel = fuel_for(view, options)
    local list, sums, highest = shortlist(moves, chances, fuel)
    if #list > 1 and fuel > 0 then
      local best, chance = look_ahead(view, mind, list, sums, fuel, options.depth)
      scores[best] = 100 * math.max(math.min(chance, 1), highest)
      return best
    end
    return list[1]
  end

  function bot.explain(view)
    return reasons(view, scores, worth(view))
  end

  function bot.appraise(view)
    return #view:moves() > 0 and mind:chances() or mind:chance()
  end

  return bot
end
