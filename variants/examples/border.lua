-- Everything at once: an own board, a piece with its own way to move, exceptions in battle, a
-- secret look, a second way to win with its own words, and fog. Each part stands alone in another
-- example.
local lines = { { 0, 1 }, { 1, 0 }, { 0, -1 }, { -1, 0 } }

-- The squares up to three away along a rank or file, not past a lake.
local function in_line(board, _, from)
  local list = {}
  for _, line in ipairs(lines) do
    for steps = 1, 3 do
      local at = board:step(from, steps * line[1], steps * line[2])
      if not at or board:is_lake(at) then break end
      list[#list + 1] = at
    end
  end
  return list
end

-- One square along a diagonal.
local function diagonally(board, _, from)
  local ways = {}
  for _, step in ipairs { { 1, 1 }, { 1, -1 }, { -1, -1 }, { -1, 1 } } do
    local to = board:step(from, step[1], step[2])
    if to and not board:is_lake(to) then ways[#ways + 1] = { to } end
  end
  return ways
end

local words = {
  en = "The ensign has reached the far side.",
  bg = "Знаменосецът стигна отсрещния край.",
  es = "El abanderado ha llegado al otro lado.",
  hr = "Stjegonoša je stigao na drugu stranu.",
  ru = "Знаменосец дошёл до другого края.",
  uk = "Прапороносець дійшов до іншого краю.",
}

local function ending(position)
  for side, enemy in pairs { red = "blue", blue = "red" } do
    for _, at in ipairs(position:squares(side, "ensign")) do
      if position:board():back_rank(enemy, at) then return side, words end
    end
  end
end

return {
  api = 1, extends = "original",
  title = "Border",
  note = "A side wins, too, when its ensign, who bears the flag, reaches the far rank.",
  board = { files = 8, ranks = 8, lakes = { "c4", "c5", "f4", "f5" } },
  zone = { ranks = 2, filled = false },
  sight = 2,
  army = { flag = 0, ensign = 1, marshal = 1, general = 0, colonel = 0, major = 1, captain = 0,
           lieutenant = 0, sergeant = 0, miner = 0, scout = 2, spy = 1, bomb = 1, sapper = 1,
           guard = 1, watch = 1 },
  pieces = {
    ensign = {
      letter = "E", rank = 0, flag = true, moves = "step", loses_to = "all",
      names = { en = "Ensign", bg = "Знаменосец", es = "Abanderado", hr = "Stjegonoša",
                ru = "Знаменосец", uk = "Прапороносець" },
    },
    sapper = {
      letter = "A", rank = 3, moves = diagonally, beats = { "bomb" },
      names = { en = "Sapper", bg = "Сапьор", es = "Zapador", hr = "Pionir", ru = "Сапёр",
                uk = "Сапер" },
    },
    guard = {
      letter = "G", rank = 6, repels = { "marshal" }, loses_to = { "spy" },
      names = { en = "Guard", bg = "Страж", es = "Guardia", hr = "Stražar", ru = "Страж",
                uk = "Вартовий" },
    },
    watch = {
      letter = "W", rank = 1, sight = 3,
      names = { en = "Watchman", bg = "Наблюдател", es = "Vigía", hr = "Osmatrač", ru = "Дозорный",
                uk = "Дозорець" },
      abilities = {
        scan = {
          attacks = false,
          targets = in_line,
          resolve = function() return { learn = "kind" } end,
        },
      },
    },
    scout = { sight = 3 },
  },
  calls = { ending = ending },
  tests = {
    {
      title = "A sapper goes along diagonals and takes bombs",
      position = { b2 = "rA", c3 = "bB", h1 = "rE", h8 = "bE" },
      move = "b2xc3", falls = "bB", after = { c3 = "rA" },
    },
    {
      title = "It does not go straight",
      position = { b2 = "rA", h1 = "rE", h8 = "bE" },
      move = "b2-b3", illegal = "movement",
    },
    {
      title = "Bombs beat everybody else",
      position = { b2 = "r7", b3 = "bB", h1 = "rE", h8 = "bE" },
      move = "b2xb3", falls = "r7",
    },
    {
      title = "A guard withstands the marshal",
      position = { b2 = "rM", b3 = "bG", h1 = "rE", h8 = "bE" },
      move = "b2xb3", falls = "rM", after = { b3 = "bG" },
    },
    {
      title = "But not the spy",
      position = { b2 = "rS", b3 = "bG", h1 = "rE", h8 = "bE" },
      move = "b2xb3", falls = "bG",
    },
    {
      title = "A watchman finds out a piece three squares away; the enemy is not told what it saw",
      position = { b2 = "rW", b5 = "bM", h1 = "rE", h8 = "bE" },
      move = "b2@b5", known = "b5", falls = "",
    },
    {
      title = "Not four",
      position = { b2 = "rW", b6 = "bM", h1 = "rE", h8 = "bE" },
      move = "b2@b6", illegal = "ability",
    },
    {
      title = "Nor past a lake",
      position = { b4 = "rW", d4 = "bM", h1 = "rE", h8 = "bE" },
      move = "b4@d4", illegal = "ability",
    },
    {
      title = "The ensign wins on the far rank",
      position = { a7 = "rE", c2 = "rM", h8 = "bE" },
      move = "a7-a8", result = "red", reason = "variant",
      ending = "The ensign has reached the far side.",
    },
    {
      title = "Whoever takes the ensign wins",
      position = { a1 = "rE", c7 = "rM", c8 = "bE" },
      move = "c7xc8", result = "red", reason = "flag",
    },
    {
      title = "In the fog enemies two squares away are seen",
      position = { d2 = "rM", d5 = "bM", h1 = "rE", h8 = "bE" },
      move = "d2-d3", seen = "d3 d5",
    },
  },
}
