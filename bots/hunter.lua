-- Hunter: knows what each piece is worth, weighs every attack by what the other piece may be, keeps
-- out of danger, and walks its pieces towards the enemies that they can expect to beat.
--
-- Every move gets a number, in units of worth (scripts/toolkit/worth.lua):
--   what the attack, the guess or the rescue brings on average
-- + the danger that the piece leaves - the danger that it walks into
-- + how much nearer it comes to something worth attacking.
local best = require "toolkit.best"
local layout = require "toolkit.layout"
local new_worth = require "toolkit.worth"

local bot = { api = 1, title = "Hunter" }

local LEARNING = 0.15   -- part of an enemy's worth that knowing its kind brings
local SHOWING = 0.1     -- part of an own piece's worth that being known costs
local PATIENCE = 60     -- plies without an attack after which any attack looks one point better
local FADING = 0.85     -- how much of a goal is left one step farther away
local UNKNOWN = 3       -- what an enemy of unknown kind is taken to be worth
local ATTACKED = { known = 0.9, moved = 0.5, still = 0.25 } -- how often an enemy takes its chance

local worth             -- worth[kind]
local outcomes = {}     -- outcomes[attacker][defender]
local near = {}         -- near[square]: the squares next to it
local fade = {}         -- fade[n]: FADING to the power n
local previous = {}     -- the last move's squares
local guessed = {}      -- enemies that wrong guesses have told something about
local turn              -- what was found out in this turn; see read_board()

function bot.setup(view)
  return layout(view)
end

function bot.start(view)
  worth = new_worth(view)
  for square = 1, view:files() * view:ranks() do near[square] = view:neighbours(square) end
  for n = 0, 255 do fade[n] = FADING ^ n end -- 255: there is no way
  for _, attacker in ipairs(view:kinds()) do
    outcomes[attacker] = {}
    for _, defender in ipairs(view:kinds()) do
      outcomes[attacker][defender] = view:outcome(attacker, defender)
    end
  end
end

-- Enemies of which one knows equally much are alike, so they are kept in classes: those of a kind
-- that is known, those that have moved, those that have not. All that is reckoned for one enemy of
-- a class is kept for the others. turn.classes lists the classes and finds them by name.
local function new_class(view, enemy, word)
  local class = { word = word, example = enemy, squares = {}, chance = {} }
  class.may_be = view:may_be(enemy)
  for i = 1, #class.may_be do class.chance[i] = view:chance(enemy, class.may_be[i]) end
  return class
end

local function read_board(view)
  turn = { class = {}, classes = {}, gain = {}, threat = {}, pull = {}, danger = {} }
  local enemies, classes = view:enemies(), turn.classes
  for i = 1, #enemies do
    local enemy = enemies[i]
    local word = view:kind(enemy) or (view:moved(enemy) and "moved" or "still")
    local name = guessed[enemy] and word .. enemy or word
    local class = classes[name]
    if not class then
      class = new_class(view, enemy, word)
      classes[name] = class
      classes[#classes + 1] = class
    end
    local square = view:where(enemy)
    turn.class[square] = class
    class.squares[#class.squares + 1] = square
  end
end

-- A table inside a table, made when it is first asked for.
local function inner(outer, key)
  local found = outer[key]
  if not found then
    found = {}
    outer[key] = found
  end
  return found
end

-- What an attack of one of our kinds on an enemy of this class brings on average.
local function expected(kind, class)
  local mine, outcome, sum = worth[kind], outcomes[kind], 0
  for i = 1, #class.may_be do
    local other, chance = class.may_be[i], class.chance[i]
    local theirs = worth[other]
    if outcome[other] == "attacker" then
      sum = sum + chance * theirs
    elseif outcome[other] == "both" then
      sum = sum + chance * (theirs - mine)
    else
      sum = sum + chance * (LEARNING * theirs - mine)
    end
  end
  return sum
end

local function gain(kind, class)
  local known = inner(turn.gain, kind)
  if not known[class] then known[class] = expected(kind, class) end
  return known[class]
end

-- What an enemy of this class may cost a piece of this kind that stands next to it.
local function threat(view, class, kind)
  local known = inner(turn.threat, kind)
  if not known[class] then
    local win, tie, loss = view:odds(class.example, kind)
    local theirs = worth[class.word] or UNKNOWN
    local cost = win * worth[kind] + tie * (worth[kind] - theirs) - loss * theirs
    known[class] = math.max(0, cost * (ATTACKED[class.word] or ATTACKED.known))
  end
  return known[class]
end

-- The worst threat to a piece of this kind on a square, once the enemy on `fallen` is gone.
local function danger(view, square, kind, fallen)
  local worst, around = 0, near[square]
  for i = 1, #around do
    local class = turn.class[around[i]]
    if class and around[i] ~= fallen then
      local cost = threat(view, class, kind)
      if cost > worst then worst = cost end
    end
  end
  return worst
end

-- How strongly a square attracts a piece of this kind: the best enemy it could walk to from there.
local function pull(view, square, kind)
  local known = inner(turn.pull, kind)
  local strongest = known[square]
  if not strongest then
    strongest = 0
    for i = 1, #turn.classes do
      local class = turn.classes[i]
      local value = gain(kind, class)
      if value > 0 then
        class.steps = class.steps or view:distances(class.squares)
        local force = value * fade[class.steps[square]]
        if force > strongest then strongest = force end
      end
    end
    known[square] = strongest
  end
  return strongest
end

-- A guess or a rescue. A right guess brings what was guessed, a wrong one shows who guessed.
local function score_ability(view, move, kind)
  local choice, chance = view:choice(move), view:removes(move)
  if view:places(move) > 0 then return choice and worth[choice] or 1 end
  local cost = view:shown(view:at(view:from(move))) and 0 or SHOWING * worth[kind]
  return chance * (choice and worth[choice] or 1) - (1 - chance) * cost - 0.3
end

local function score(view, move)
  local from, to = view:from(move), view:to(move)
  local piece = view:at(from)
  local kind = view:kind(piece)
  local sum = 0.1 * view:random()
  local class = to ~= from and turn.class[to]

  if view:ability(move) then sum = sum + score_ability(view, move, kind) end
  if class then
    sum = sum + gain(kind, class) + view:quiet() / PATIENCE
    if not view:shown(piece) then sum = sum - SHOWING * worth[kind] end
  elseif to ~= from then
    sum = sum + pull(view, to, kind) - pull(view, from, kind)
    if to == previous.from and from == previous.to then sum = sum - 0.3 end
  end
  if to ~= from then
    local left = turn.danger[from]
    if not left then
      left = danger(view, from, kind)
      turn.danger[from] = left
    end
    local survives = 1
    if class then survives = (view:odds(piece, class.example)) end
    sum = sum + left - survives * danger(view, to, kind, to)
  end
  return sum
end

function bot.move(view)
  read_board(view)
  local move = best(view:moves(), function(move) return score(view, move) end)
  previous.from, previous.to = view:from(move), view:to(move)
  local target = view:target(move)
  if target and view:at(target) then guessed[view:at(target)] = true end
  return move
end

return bot
