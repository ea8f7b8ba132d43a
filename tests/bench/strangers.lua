-- strangers.lua - matches against programs that nobody here wrote, and what decided them.
--
--   lua5.4 tests/bench/strangers.lua ENSIGN FOLDER GAMES SEED [BOT ...] NAME=ucc:COMMAND ...
--   lua5.4 tests/bench/strangers.lua FOLDER
--
-- Each BOT (admiral and sealord unless given) plays GAMES of milton-bradley in pairs against each
-- program; one whose COMMAND is not there is skipped. A match that was broken off is resumed, a
-- finished one is not played again: the records are kept in FOLDER/BOT-NAME. The second form reads
-- records that are there already. Illegal moves of programs are counted apart, since nobody
-- outplayed them. Programs are no part of this repository.
local WORTH = { ["1"] = 10, ["2"] = 8, ["3"] = 6, ["4"] = 4.5, ["5"] = 3, ["6"] = 2, ["7"] = 1.5,
  ["8"] = 2.5, ["9"] = 1, S = 2, B = 2, F = 0 }
local PLIES = { 50, 100, 200 } -- at which material is compared
local LEAD = 8                 -- of worth, that should win

local function other(side) return side == "red" and "blue" or "red" end

-- The pieces of a set-up on the board: by square ("a1"), each with side, kind, shown and moved.
local function lay_out(board, side, setup)
  local row = 0
  for line in setup:gmatch("[^/]+") do
    for file = 1, #line do
      local red = side == "red"
      local at = string.char(96 + (red and file or 11 - file)) .. (red and 4 - row or 7 + row)
      board[at] = { side = side, kind = line:sub(file, file) }
    end
    row = row + 1
  end
end

-- What falls: "attacker", "defender" or "both".
local function battle(attacker, defender)
  if defender == "F" then return "defender" end
  if defender == "B" then return attacker == "8" and "defender" or "attacker" end
  if attacker == defender then return "both" end
  if attacker == "S" then return defender == "1" and "defender" or "attacker" end
  if defender == "S" then return "defender" end
  return attacker < defender and "defender" or "attacker"
end

-- How a piece looked to the one that met it.
local function looks(piece)
  return piece.shown and "known" or piece.moved and "hidden" or "hidden, unmoved"
end

-- One record as a table: tags, falls (each with ply, piece, by, looks, attacked), lead of red after
-- each ply. Nil unless it began with set-ups of milton-bradley.
local function read(path)
  local file <close> = assert(io.open(path))
  local text, tags, board = file:read("a"), {}, {}
  for name, value in text:gmatch('%[(%w+) "([^"]*)"%]') do tags[name] = value end
  if tags.Variant ~= "milton-bradley" or not (tags.RedSetup and tags.BlueSetup) then return nil end
  lay_out(board, "red", tags.RedSetup)
  lay_out(board, "blue", tags.BlueSetup)
  local game = { tags = tags, falls = {}, lead = { [0] = 0 } }
  local function fall(piece, by, attacked)
    game.falls[#game.falls + 1] = { ply = #game.lead, piece = piece, by = by.kind,
      looks = looks(by), attacked = attacked, known = piece.shown }
    local worth = WORTH[piece.kind]
    game.change = game.change + (piece.side == "red" and -worth or worth)
  end
  for from, kind, to in text:gsub("%b[]", ""):gmatch("(%l%d+)([x-])(%l%d+)") do
    local piece, enemy = board[from], board[to]
    game.change = 0
    board[from] = nil
    if kind == "-" then
      board[to] = piece
      local steps = math.abs(from:byte() - to:byte()) + math.abs(from:sub(2) - to:sub(2))
      if steps > 1 then piece.shown = true end -- only a scout runs
    else
      local result = battle(piece.kind, enemy.kind)
      if result ~= "attacker" then fall(enemy, piece, false) end
      if result ~= "defender" then fall(piece, enemy, true) end
      piece.shown, enemy.shown = true, true
      board[to] = result == "defender" and piece or result == "attacker" and enemy or nil
    end
    piece.moved = true
    game.lead[#game.lead + 1] = game.lead[#game.lead] + game.change
  end
  return game
end

-- The records of a folder, by name in order.
local function records_of(folder)
  local list <close> = io.popen(("find '%s/' -maxdepth 1 -name '*.rec' | sort"):format(folder))
  local games = {}
  for path in list:lines() do games[#games + 1] = read(path) end
  return games
end

local function add(counts, key, by) counts[key] = (counts[key] or 0) + (by or 1) end

-- "3 general by bomb (hidden, unmoved), attacking": the commonest first.
local function print_counts(title, counts, most)
  local list = {}
  for key, count in pairs(counts) do list[#list + 1] = { key = key, count = count } end
  table.sort(list, function(a, b)
    if a.count ~= b.count then return a.count > b.count end
    return a.key < b.key
  end)
  if #list > 0 then print("  " .. title) end
  for i = 1, math.min(#list, most) do print(("    %3d %s"):format(list[i].count, list[i].key)) end
end

local NAMES = { ["1"] = "marshal", ["2"] = "general", ["3"] = "colonel", S = "spy", B = "bomb" }
local function name_of(kind) return NAMES[kind] or "a " .. kind end

local function mean(list)
  local sum = 0
  for _, number in ipairs(list) do sum = sum + number end
  return #list > 0 and ("%+.1f"):format(sum / #list) or "-"
end

-- What decided the games of `bot`.
local function report(bot, games)
  local score = { won = 0, drawn = 0, lost = 0 }
  local ends, falls, leads = {}, {}, { had = 0, won = 0 }
  local lead_at, eaten = { won = {}, drawn = {}, lost = {} }, { won = {}, drawn = {}, lost = {} }
  for _, ply in ipairs(PLIES) do
    for _, leads_then in pairs(lead_at) do leads_then[ply] = {} end
  end
  local illegal = 0
  for _, game in ipairs(games) do
    local tags = game.tags
    local me = tags.Red == bot and "red" or tags.Blue == bot and "blue"
    local outcome = tags.Result == me and "won" or tags.Result == other(me or "") and "lost" or
      "drawn"
    if me and tags.Reason:find("^forfeit") and outcome == "won" then
      illegal = illegal + 1
    elseif me then
      score[outcome] = score[outcome] + 1
      add(ends, outcome .. ": " .. tags.Reason)
      local sign, ahead, bitten = me == "red" and 1 or -1, false, 0
      for _, ply in ipairs(PLIES) do
        local lead = game.lead[ply]
        if lead then table.insert(lead_at[outcome][ply], sign * lead) end
      end
      for _, lead in ipairs(game.lead) do ahead = ahead or sign * lead >= LEAD end
      if ahead then
        leads.had, leads.won = leads.had + 1, leads.won + (outcome == "won" and 1 or 0)
      end
      for _, fall in ipairs(game.falls) do
        if fall.piece.side == me then
          local strong = fall.piece.kind:find("[123S]")
          if outcome == "lost" and strong then
            add(falls, ("%s to %s (%s)%s"):format(name_of(fall.piece.kind), name_of(fall.by),
              fall.looks, fall.attacked and ", attacking" or ""))
          end
          if fall.looks == "known" and not fall.attacked then
            bitten = bitten + WORTH[fall.piece.kind]
          end
        end
      end
      table.insert(eaten[outcome], bitten)
    end
  end
  local played = score.won + score.drawn + score.lost
  if played + illegal == 0 then return print("  no game of " .. bot) end
  print(("  %d-%d-%d, %.1f %%; with %d more that ended by an illegal move of the program %.1f %%")
    :format(score.won, score.drawn, score.lost,
      100 * (score.won + score.drawn / 2) / math.max(1, played), illegal,
      100 * (score.won + illegal + score.drawn / 2) / (played + illegal)))
  print_counts("ends", ends, 8)
  for _, outcome in ipairs { "won", "lost" } do
    local parts = {}
    for _, ply in ipairs(PLIES) do
      parts[#parts + 1] = ("%s at ply %d"):format(mean(lead_at[outcome][ply]), ply)
    end
    print(("  lead in worth in games %s: %s; known pieces took %s a game"):format(outcome,
      table.concat(parts, ", "), mean(eaten[outcome])))
  end
  print(("  leads of %d: %d, of which won %d"):format(LEAD, leads.had, leads.won))
  print_counts("fallen in lost games", falls, 16)
end

-- Is the program of "ucc:COMMAND" there?
local function is_there(command)
  local program = command:match("^ucc:%s*(%S+)")
  return program and os.execute(("command -v '%s' >/dev/null 2>&1"):format(program))
end

-- Plays a match, or the rest of it.
local function play(ensign, folder, games, seed, bot, program)
  local begun = io.open(folder .. "/match.sqlite")
  if begun then begun:close() end
  local command = begun
    and ("'%s' match --resume -o '%s' --seed %s --allow-programs -j 1"):format(ensign, folder, seed)
    or ("'%s' match '%s' '%s' -v milton-bradley --fresh --deadline 20000 -n %s --seed %s -j 1 " ..
      "-o '%s'"):format(ensign, bot, program, games, seed, folder)
  local run <close> = io.popen(command)
  for line in run:lines() do
    if line:find("^%S+ +%d+ +[%d.-]+ +[%d-]+ +%d+%.%d+ +%d+%.%d+$") then print("  " .. line) end
  end
end

if #arg == 1 then
  local games, names = records_of(arg[1]), {}
  for _, game in ipairs(games) do names[game.tags.Red], names[game.tags.Blue] = true, true end
  local sorted = {}
  for name in pairs(names) do sorted[#sorted + 1] = name end
  table.sort(sorted)
  for _, name in ipairs(sorted) do
    print(name)
    report(name, games)
  end
  return
end

local ensign, folder, games, seed = table.unpack(arg, 1, 4)
local bots, programs = {}, {}
for i = 5, #arg do
  local name, command = arg[i]:match("^(%w+)=(ucc:.+)$")
  if name then
    programs[#programs + 1] = { name = name, command = command }
  else
    bots[#bots + 1] = arg[i]
  end
end
if #programs == 0 then
  io.stderr:write("usage: lua5.4 strangers.lua ENSIGN FOLDER GAMES SEED [BOT ...] " ..
    "NAME=ucc:COMMAND ...\n       lua5.4 strangers.lua FOLDER\n")
  os.exit(2)
end
if #bots == 0 then bots = { "admiral", "sealord" } end
os.execute(("mkdir -p '%s'"):format(folder))
for _, program in ipairs(programs) do
  for _, bot in ipairs(bots) do
    local name = bot:match("([^/]+)%.lua$") or bot
    if is_there(program.command) then
      local into = ("%s/%s-%s"):format(folder, name, program.name)
      print(("%s against %s, seed %s (calls, fuel and milliseconds of a move: mean, greatest)")
        :format(name, program.name, seed))
      play(ensign, into, games, seed, bot, program.name .. "=" .. program.command)
      report(name, records_of(into))
    else
      print(("%s against %s: not there, skipped"):format(name, program.name))
    end
  end
end
