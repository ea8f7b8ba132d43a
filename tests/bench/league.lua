-- league.lua - several styles that `ensign learn --table` has written become one table, with the
-- share of each so that none of them gains by being played alone against all of them.
--
--   lua5.4 tests/bench/league.lua ENSIGN VARIANT GAMES FUEL OUT TABLE ...
--
-- A TABLE is a file, or FILE:N for its N-th style alone. Any two styles play GAMES against each
-- other with FUEL for looking ahead in a turn: shares that are found without looking ahead are not
-- those of bots that do. Points are kept in OUT.points, a line for each two, so that one more style
-- costs only its own games; remove it for other GAMES or another FUEL. OUT goes to `ensign learn
-- --against`, and the answer becomes one TABLE more.
--
-- The shares are those of a logit equilibrium (McKelvey and Palfrey 1995): each style's goes with
-- e^(points / HEAT), so that what is about as good is played about as often.
local HEAT = 0.04   -- in points of a game
local LEAST = 0.01  -- a share below it is none, …
local MOST = 16     -- … and so are the least of more styles
local ROUNDS = 40000

package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local styles = require "styles"

local ensign, variant, games, fuel, out = table.unpack(arg, 1, 5)
local league = {}

local function remove_bots()
  for _, one in ipairs(league) do
    if one.bot then os.remove(one.bot) end
  end
end

local function fail(code, ...)
  remove_bots()
  io.stderr:write(string.format(...), "\n")
  os.exit(code)
end

if not arg[6] then fail(2, "usage: lua5.4 league.lua ENSIGN VARIANT GAMES FUEL OUT TABLE ...") end

local learned = 0
for i = 6, #arg do
  local file, number = arg[i]:match("^(.*):(%d+)$")
  if arg[i]:find("%s") then fail(1, "%s: a name without blanks is expected", arg[i]) end
  local list, games_learned = styles.read(file or arg[i])
  if not list then fail(1, "%s", games_learned) end
  local first = tonumber(number) or 1
  if not list[first] then fail(1, "%s: the table ends with style %d", arg[i], #list) end
  for n = first, number and first or #list do
    league[#league + 1] = { name = (file or arg[i]) .. ":" .. n, text = list[n].text }
  end
  learned = math.max(learned, games_learned)
end

-- Points of a game that each has scored against each, by both names.
local points = {}
local known <close> = assert(io.open(out .. ".points", "a+"))
for line in known:lines() do
  local one, other, score = line:match("^(%S+) (%S+) ([%d.]+)$")
  if not score then fail(1, "%s.points: no line of two styles and a score: %s", out, line) end
  points[one .. " " .. other] = tonumber(score)
  points[other .. " " .. one] = 1 - tonumber(score)
end

local function play(one, other)
  local run = io.popen(("'%s' match '%s' '%s' -v '%s' -n %d --seed 900 --json"):format(
    ensign, one.bot, other.bot, variant, games))
  local told = run:read("a")
  local score = told:match('"score":%s*([%d.]+)')
  if not run:close() or not score then fail(1, "the match was not played: %s", told) end
  return tonumber(score)
end

for _, one in ipairs(league) do
  one.bot = os.tmpname()
  local file <close>, why = io.open(one.bot, "w")
  local text = ('return require "toolkit.admiral" { learned = %s, fuel = %d }\n'):format(
    styles.table({ { share = 1, text = one.text } }, learned), fuel)
  if not (file and file:write(text)) then fail(1, "%s", why or one.bot .. ": not written") end
end
for i, one in ipairs(league) do
  for j = 1, i - 1 do
    local other = league[j]
    local names = one.name .. " " .. other.name
    if not points[names] then
      points[names] = play(one, other)
      known:write(names, " ", points[names], "\n"):flush()
    end
    points[other.name .. " " .. one.name] = 1 - points[names]
  end
end
remove_bots()

-- What each scores against all by their shares.
local function scores(share)
  local found = {}
  for i, one in ipairs(league) do
    found[i] = 0
    for j, other in ipairs(league) do
      found[i] = found[i] + share[j] * (i == j and 0.5 or points[one.name .. " " .. other.name])
    end
  end
  return found
end

local share = {}
for i = 1, #league do share[i] = 1 / #league end
for _ = 1, ROUNDS do
  local wish, whole = {}, 0
  for i, score in ipairs(scores(share)) do
    wish[i] = math.exp((score - 0.5) / HEAT)
    whole = whole + wish[i]
  end
  for i = 1, #league do share[i] = share[i] + 0.001 * (wish[i] / whole - share[i]) end
end

for i, score in ipairs(scores(share)) do
  league[i].share = share[i]
  print(("%-32s share %.3f, scores %.1f %%"):format(league[i].name, share[i], 100 * score))
end
table.sort(league, function(one, other) return one.share > other.share end)
local kept = {}
for i = 1, math.min(#league, MOST) do
  if league[i].share >= LEAST then kept[i] = league[i] end
end
local title = ("%d styles of a league (tests/bench/league.lua)."):format(#kept)
local written, why = styles.write(out, title, kept, learned)
if not written then fail(1, "%s", why) end
