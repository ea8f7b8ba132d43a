-- prospects(view): what the moves of a turn promise and what they risk, for bots that give each
-- move a number. All numbers are in units of worth (toolkit.worth).
--
--   local hope = prospects(view)        once, in bot.start
--   hope:read(view)                     each turn, before asking
--   hope:score(view, move)              what the move brings; a third argument says how much
--                                       battles and dangers count in it, 1 if it is left out
--   hope:pull(view, square, kind)       how strongly a square attracts our pieces of a kind
--   hope:observe(view, event)           in bot.observe, so that no move is undone at once
--
-- A score is
--   what the attack, the guess or the rescue brings on average
-- + the danger that the piece leaves - the danger that it walks into
-- + how much nearer it comes to something worth attacking.
local new_worth = require "toolkit.worth"
local balance = require "toolkit.balance"

local LEARNING = 0.15   -- part of an enemy's worth that knowing its kind brings
local SHOWING = 0.1     -- part of an own piece's worth that being known costs
local PATIENCE = 60     -- plies without an attack after which any attack looks one point better
local FADING = 0.85     -- how much of a goal is left one step farther away
local UNKNOWN = 3       -- what an enemy of unknown kind is taken to be worth
local ATTACKED = { known = 0.9, moved = 0.5, still = 0.25 } -- how often an enemy takes its chance

local hope = {}
hope.__index = hope

-- Enemies of which one knows equally much are alike, so they are kept in classes: those of a kind
-- that is known, those that have moved, those that have not. All that is reckoned for one enemy of
-- a class is kept for the others.
local function new_class(view, enemy, word)
  local class = { word = word, example = enemy, squares = {}, chance = {} }
  class.may_be = view:may_be(enemy)
  for i = 1, #class.may_be do class.chance[i] = view:chance(enemy, class.may_be[i]) end
  return class
end

-- Looks at the board. `likely(view, enemy, kind)`, if it is given, says how much more or less
-- likely than by counting alone an enemy that has not moved is of a kind; those that stood equally
-- far from their own back rank must have equal answers.
function hope:read(view, likely)
  local turn = { class = {}, classes = {}, gain = {}, threat = {}, pull = {}, danger = {} }
  local enemies, classes = view:enemies(), turn.classes
  for i = 1, #enemies do
    local enemy = enemies[i]
    local word = view:kind(enemy) or (view:moved(enemy) and "moved" or "still")
    local name = self.guessed[enemy] and word .. enemy or word
    if likely and word == "still" then name = name .. "/" .. view:depth(view:start_of(enemy)) end
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
  if likely then balance(view, classes, likely) end
  self.turn = turn
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
local function expected(self, kind, class)
  local worth, outcome, sum = self.worth, self.outcomes[kind], 0
  local mine = worth[kind]
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

local function gain(self, kind, class)
  local known = inner(self.turn.gain, kind)
  if not known[class] then known[class] = expected(self, kind, class) end
  return known[class]
end

-- What an enemy of this class may cost a piece of this kind that stands next to it.
local function threat(self, view, class, kind)
  local known = inner(self.turn.threat, kind)
  if not known[class] then
    local worth = self.worth
    local win, tie, loss = view:odds(class.example, kind)
    local theirs = worth[class.word] or UNKNOWN
    local cost = win * worth[kind] + tie * (worth[kind] - theirs) - loss * theirs
    known[class] = math.max(0, cost * (ATTACKED[class.word] or ATTACKED.known))
  end
  return known[class]
end

-- The worst threat to a piece of this kind on a square, once the enemy on `fallen` is gone.
local function danger(self, view, square, kind, fallen)
  local worst, around = 0, self.near[square]
  for i = 1, #around do
    local class = self.turn.class[around[i]]
    if class and around[i] ~= fallen then
      local cost = threat(self, view, class, kind)
      if cost > worst then worst = cost end
    end
  end
  return worst
end

-- The best enemy that a piece of this kind could walk to from a square, fading with the distance.
function hope:pull(view, square, kind)
  local known = inner(self.turn.pull, kind)
  local strongest = known[square]
  if not strongest then
    strongest = 0
    for i = 1, #self.turn.classes do
      local class = self.turn.classes[i]
      local value = gain(self, kind, class)
      if value > 0 then
        class.steps = class.steps or view:distances(class.squares)
        local force = value * self.fade[class.steps[square]]
        if force > strongest then strongest = force end
      end
    end
    known[square] = strongest
  end
  return strongest
end

-- A guess or a rescue. A right guess brings what was guessed, a wrong one shows who guessed.
local function score_ability(self, view, move, kind)
  local worth = self.worth
  local choice, chance = view:choice(move), view:removes(move)
  if view:places(move) > 0 then return choice and worth[choice] or 1 end
  local cost = view:shown(view:at(view:from(move))) and 0 or SHOWING * worth[kind]
  return chance * (choice and worth[choice] or 1) - (1 - chance) * cost - 0.3
end

function hope:score(view, move, part)
  part = part or 1
  local from, to = view:from(move), view:to(move)
  local piece = view:at(from)
  local kind = view:kind(piece)
  local turn, previous = self.turn, self.previous
  local sum = 0.1 * view:random()
  local class = to ~= from and turn.class[to]

  if view:ability(move) then sum = sum + score_ability(self, view, move, kind) end
  if class then
    sum = sum + part * gain(self, kind, class) + view:quiet() / PATIENCE
    if not view:shown(piece) then sum = sum - SHOWING * self.worth[kind] end
  elseif to ~= from then
    sum = sum + self:pull(view, to, kind) - self:pull(view, from, kind)
    if to == previous.from and from == previous.to then sum = sum - 0.3 end
  end
  if to ~= from then
    local left = turn.danger[from]
    if not left then
      left = danger(self, view, from, kind)
      turn.danger[from] = left
    end
    local survives = 1
    if class then survives = (view:odds(piece, class.example)) end
    sum = sum + part * (left - survives * danger(self, view, to, kind, to))
  end
  return sum
end

function hope:observe(view, event)
  if event.side ~= view:side() then return end
  if event.type == "move" or event.type == "battle" then
    self.previous.from, self.previous.to = event.from, event.to
  elseif event.type == "ability" then
    local target = event.to and view:at(event.to)
    if target then self.guessed[target] = true end
  end
end

return function(view)
  local self = setmetatable({}, hope)
  self.worth = new_worth(view)
  self.outcomes = {}      -- outcomes[attacker][defender]
  self.near = {}          -- near[square]: the squares next to it
  self.fade = {}          -- fade[n]: FADING to the power n
  self.previous = {}      -- the last move's squares
  self.guessed = {}       -- enemies that guesses have told something about
  for square = 1, view:files() * view:ranks() do self.near[square] = view:neighbours(square) end
  for n = 0, 255 do self.fade[n] = FADING ^ n end -- 255: there is no way
  for _, attacker in ipairs(view:kinds()) do
    self.outcomes[attacker] = {}
    for _, defender in ipairs(view:kinds()) do
      self.outcomes[attacker][defender] = view:outcome(attacker, defender)
    end
  end
  return self
end
