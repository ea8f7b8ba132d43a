#!/usr/bin/env lua5.4
-- A program that plays any variant through the seat protocol (README.md in this folder), for the
-- ordinary Lua interpreter, 5.3 or newer.
--
--     ensign match json:bots/programs/player.lua rookie -v duel -n 100
--
-- It attacks a known weaker enemy, and else advances at random. It is an external program: a bot
-- that runs inside the host, without JSON and faster, is described in bots/README.md.

-- A reader of JSON. `at` is where the next value begins; each reader returns the value and where
-- the text goes on. null becomes nil.

local read_value

local escapes = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

-- Of "\n" or "\u00e9"; `digits` are the hexadecimal ones that follow.
local function unescape(sign, digits)
  if sign == "u" then return utf8.char(tonumber(digits, 16)) end
  return (escapes[sign] or sign) .. digits
end

local function read_text(text, at)
  local stop = at
  repeat
    stop = assert(text:find('["\\]', stop + 1), "a text without its end")
    local closed = text:sub(stop, stop) == '"'
    if not closed then stop = stop + 1 end      -- over the character behind the backslash
  until closed
  local raw = text:sub(at + 1, stop - 1)
  return (raw:gsub("\\(.)(%x?%x?%x?%x?)", unescape)), stop + 1
end

local function skip(text, at)
  return text:find("%S", at)
end

local function read_array(text, at)
  local list = {}
  at = skip(text, at + 1)
  while text:sub(at, at) ~= "]" do
    list[#list + 1], at = read_value(text, at)
    at = skip(text, at)
    if text:sub(at, at) == "," then at = skip(text, at + 1) end
  end
  return list, at + 1
end

local function read_object(text, at)
  local object = {}
  local key
  at = skip(text, at + 1)
  while text:sub(at, at) ~= "}" do
    key, at = read_text(text, at)
    at = skip(text, assert(text:find(":", at, true), "a key without a value") + 1)
    object[key], at = read_value(text, at)
    at = skip(text, at)
    if text:sub(at, at) == "," then at = skip(text, at + 1) end
  end
  return object, at + 1
end

local words = { ["true"] = true, ["false"] = false }

function read_value(text, at)
  local first = text:sub(at, at)
  if first == "{" then return read_object(text, at) end
  if first == "[" then return read_array(text, at) end
  if first == '"' then return read_text(text, at) end
  local word, stop = text:match("^([^%s,%]}]+)()", at)
  if words[word] ~= nil then return words[word], stop end
  return tonumber(word), stop
end

-- The game.

local side          -- "red" or "blue"
local kinds = {}    -- the kind of each letter: kinds.M is "marshal"
local battles       -- battles.marshal.spy is "attacker", "defender", "both", "ask" or "none"

local function read_game(message)
  side, battles = message.side, message.variant.battles
  for _, kind in ipairs(message.variant.kinds) do kinds[kind.letter] = kind.name end
  math.randomseed(message.seed)     -- the same seed gives the same game
end

-- The letters of a position by square: "b3.bF/..." gives { a10 = "3", c10 = "F" }. Ranks come from
-- the top; a piece is its side and its letter ("?": hidden), any other square is one character.
local function read_position(position)
  local rows, board = {}, {}
  for row in position:match("^%S+"):gmatch("[^/]+") do rows[#rows + 1] = row end
  for index, row in ipairs(rows) do
    local at, file = 1, 0
    while at <= #row do
      local piece = row:match("^[rb].", at)
      if piece then
        board[string.char(97 + file) .. #rows + 1 - index] = piece:sub(2)
      end
      at, file = at + (piece and 2 or 1), file + 1
    end
  end
  return board
end

-- 2: beats an enemy that we know; 1: goes forward; 0: anything else, such as an ability.
local function merit(move, board)
  local from, sign, to = move:match("^(%l%d+)([-x])(%l%d+)")
  if not from then return 0 end
  local mine, theirs = kinds[board[from]], kinds[board[to]]     -- nil for "?"
  if sign == "x" and theirs and battles[mine][theirs] == "attacker" then return 2 end
  local climbed = tonumber(to:sub(2)) - tonumber(from:sub(2))
  if side == "blue" then climbed = -climbed end
  return climbed > 0 and 1 or 0
end

local function choose(message)
  local board, best, most = read_position(message.position), {}, -1
  for _, move in ipairs(message.moves) do
    local value = merit(move, board)
    if value > most then best, most = {}, value end
    if value == most then best[#best + 1] = move end
  end
  return best[math.random(#best)]
end

local answers = {}

function answers.game(message) read_game(message) end
function answers.setup() return '{"type":"setup","setup":null}' end     -- one by chance
function answers.draw() return '{"type":"draw","accept":false}' end

function answers.move(message)
  -- A move's text has no character that JSON would have to escape.
  return ('{"type":"move","move":"%s","ply":%d}'):format(choose(message), message.ply)
end

for line in io.lines() do
  local read, message = pcall(read_value, line, 1)
  local known = read and type(message) == "table" and answers[message.type]
  local answer = known and known(message)
  if answer then
    io.write(answer, "\n")
    io.flush()
  end
end
