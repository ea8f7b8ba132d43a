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

local function open(path, mode)
  local file, why = io.open(path, mode)
  return file or fail(1, "%s", why)
end

-- The styles in a table, as text: lines as in a list of styles, without the share. Then its games.
local function styles_in(file)
  local text = open(file, "r"):read("a")
  local styles, games_learned = {}, tonumber(text:match("\n  games = (%d+),"))
  if text:find("\n  styles = {\n", 1, true) then
    for style in text:gmatch("\n    {\n      share = %d+,\n(.-)\n    },") do
      styles[#styles + 1] = style
    end
  else
    local style = text:match("\n  games = %d+,\n(.-)\n}%s*$")
    styles[1] = style and style:gsub("([^\n]+)", "    %1")
  end
  if #styles == 0 then fail(1, "%s: no table of `ensign learn --table`", file) end
  return styles, games_learned
end

local learned = 0
for i = 6, #arg do
  local file, number = arg[i]:match("^(.*):(%d+)$")
  local styles, games_learned = styles_in(file or arg[i])
  local first = tonumber(number) or 1
  if not styles[first] then fail(1, "%s: the table ends with style %d", arg[i], #styles) end
  for n = first, number and first or #styles do
    league[#league + 1] = { name = (file or arg[i]) .. ":" .. n, style = styles[n] }
  end
  learned = math.max(learned, games_learned)
end

local function write(path, text)
  local file = open(path, "w")
  assert(file:write(text))
  assert(file:close())
end

local function table_of(styles)
  return ("{\n  games = %d,\n  styles = {\n%s  },\n}"):format(learned, table.concat(styles))
end

local function listed(style, share)
  return ("    {\n      share = %.0f,\n%s\n    },\n"):format(1000 * share, style)
end

-- Points of a game that each has scored against each, by both names.
local points = {}
local known <close> = open(out .. ".points", "a+")
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
  write(one.bot, ('return require "toolkit.admiral" { learned = %s, fuel = %d }\n'):format(
    table_of { listed(one.style, 1) }, fuel))
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
  if league[i].share >= LEAST then kept[i] = listed(league[i].style, league[i].share) end
end
write(out, ("-- %d styles of a league (tests/bench/league.lua).\n" ..
  "-- Weights are in 1/4096 of a logit, habits in 1/256: see bots/README.md, \"Minds\".\n" ..
  "return %s\n"):format(#kept, table_of(kept)))
