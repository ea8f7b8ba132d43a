-- A bot that finds out all it can from four raw words of its own chance, says it, and forfeits: the
-- state of its stream, from which it foretells the words that follow, and, if SplitMix64 made that
-- state from a seed, the seed.
local bot = { api = 1, title = "Reckoner" }

local function turned(word, by)
  return (word << by) | (word >> (64 - by))
end

-- What an odd number is to be multiplied with to give 1.
local function inverse(odd)
  local found = odd
  for _ = 1, 6 do found = found * (2 - odd * found) end
  return found
end

local FIFTH, NINTH = inverse(5), inverse(9)

local function step(state)
  local word = turned(state[2] * 5, 7) * 9
  local shifted = state[2] << 17
  state[3] = state[3] ~ state[1]
  state[4] = state[4] ~ state[2]
  state[2] = state[2] ~ state[3]
  state[1] = state[1] ~ state[4]
  state[3] = state[3] ~ shifted
  state[4] = turned(state[4], 45)
  return word
end

-- Each word gives away the second number of the state before it; four of them the whole state.
local function state_behind(words)
  local second = {}
  for i = 1, 4 do second[i] = turned(words[i] * NINTH, 57) * FIFTH end
  local first_and_third = second[2] ~ second[1]
  local third = first_and_third ~ (second[1] << 17)
  local first = second[3] ~ second[2] ~ third
  local next_third = third ~ first ~ (second[2] << 17)
  local next_first = second[4] ~ second[3] ~ next_third
  local fourth = next_first ~ first ~ second[2]
  local fourth_before = turned(fourth, 19) ~ second[1]
  local first_before = first ~ fourth_before ~ second[1]
  return { first_before, second[1], first_and_third ~ first_before, fourth_before }
end

local GOLDEN = 0x9E3779B97F4A7C15
local ONE, OTHER = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB

local function mix(word)
  word = (word ~ (word >> 30)) * ONE
  word = (word ~ (word >> 27)) * OTHER
  return word ~ (word >> 31)
end

local function unshifted(word, by)
  local found = word
  for _ = 1, 3 do found = word ~ (found >> by) end
  return found
end

local function unmix(word)
  word = unshifted(word, 31) * inverse(OTHER)
  word = unshifted(word, 27) * inverse(ONE)
  return unshifted(word, 30)
end

-- The first words of all, before a set-up is drawn.
local words, more = {}, {}
for i = 1, 4 do words[i] = math.random(0) end
for i = 1, 100 do more[i] = math.random(0) end

function bot.start()
  local state = state_behind(words)
  local before = unmix(state[1])
  local seeded = true
  for i = 2, 4 do seeded = seeded and mix(before + (i - 1) * GOLDEN) == state[i] end
  local foretells = true
  for i = 1, 4 do foretells = foretells and step(state) == words[i] end
  for i = 1, 100 do foretells = foretells and step(state) == more[i] end
  error((foretells and "foretells its stream" or "foretells nothing") .. ", " ..
        (seeded and "knows a seed" or "knows no seed"))
end

function bot.move(view)
  return view:moves()[1]
end

return bot
