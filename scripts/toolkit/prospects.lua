-- prospects(view): the expected gain and risk of each move, for bots that score moves. All numbers
-- are in units of worth (toolkit.worth).
--
--   local hope = prospects(view)        once, in bot.start
--   hope:read(view)                     each turn, before asking
--   hope:score(view, move, part)        the value of a move; battles and dangers count `part`
--                                       in it, by default 1
--   hope:pull(view, square, kind)       how strongly a square attracts our pieces of a kind
--   hope:observe(view, event)           in bot.observe, to avoid undoing the last move
--
-- A score is
--   the expected gain of the attack, guess or rescue
-- + the danger on the old square - the danger on the new one
-- + the pull of targets on the new square - the pull on the old one.
local new_worth = require "toolkit.worth"
local balance = require "toolkit.balance"

local LEARNING = 0.15   -- gain from learning the kind of an unknown enemy, as a part of its worth
local SHOWING = 0.1     -- cost of showing an own piece, as a part of its worth
local PATIENCE = 60     -- plies without an attack that make any attack worth one point more
local FADING = 0.85     -- a target's pull falls to this part with each step of distance
local UNKNOWN = 3       -- assumed worth of an enemy of unknown kind
local ATTACKED = { known = 0.9, moved = 0.5, still = 0.25 } -- how likely an enemy attacks

local hope = {}
hope.__index = hope

-- Enemies with the same knowledge about them form a class: those of one known kind, those that have
-- moved, those that have not. A value computed for one enemy of a class serves the others.
local function new_class(view, enemy, word)
  local class = { word = word, example = enemy, squares = {}, chance = {} }
  class.may_be = view:may_be(enemy)
  for i = 1, #class.may_be do class.chance[i] = view:chance(enemy, class.may_be[i]) end
  return class
end

-- Reads the board. The optional `likely(view, enemy, kind)` weighs the kinds of an enemy that has
-- not moved; by counts alone the weight is 1. Enemies of one starting rank must get equal weights.
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

-- The table outer[key], made at first use.
local function inner(outer, key)
  local found = outer[key]
  if not found then
    found = {}
    outer[key] = found
  end
  return found
end

-- The expected gain when one of our kinds attacks an enemy of this class.
local function expected(self, kind, class)
  local worth, outcome, sum = self.worth, self.outcomes[kind], 0
  local mine = worth[kind]
  local learning = #class.may_be > 1 and LEARNING or 0
  for i = 1, #class.may_be do
    local other, chance = class.may_be[i], class.chance[i]
    local theirs = worth[other]
    if outcome[other] == "attacker" then
      sum = sum + chance * theirs
    elseif outcome[other] == "both" then
      sum = sum + chance * (theirs - mine)
    else
      sum = sum + chance * (learning * theirs - mine)
    end
  end
  return sum
end

local function gain(self, kind, class)
  local known = inner(self.turn.gain, kind)
  if not known[class] then known[class] = expected(self, kind, class) end
  return known[class]
end

-- The expected cost of standing next to an enemy of this class, for a piece of this kind.
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

-- The worst threat to a piece of this kind on a square, without the enemy on `fallen`.
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

-- The strongest pull of an enemy on a piece of this kind on a square; it fades with the distance.
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

-- A guess or a rescue. A right guess gains the guessed piece, a wrong one shows the guesser.
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
  self.previous = {}      -- the squares of our last move
  self.guessed = {}       -- enemies that a guess was aimed at
  for square = 1, view:files() * view:ranks() do self.near[square] = view:neighbours(square) end
  for n = 0, 255 do self.fade[n] = FADING ^ n end -- 255: unreachable
  for _, attacker in ipairs(view:kinds()) do
    self.outcomes[attacker] = {}
    for _, defender in ipairs(view:kinds()) do
      self.outcomes[attacker][defender] = view:outcome(attacker, defender)
    end
  end
  return self
end
