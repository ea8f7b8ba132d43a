-- Luzhanqi, the land battle chess of China, for two with a referee: railways, camps that shelter,
-- headquarters that nobody leaves. Of a battle the sides hear only whose pieces fell.

-- Sources differ. Twelve ranks: what is drawn between the halves is only passed, so it is walls.
-- A mine stays when a piece dies on it, and any attacker takes the flag at any time: the rules of
-- the championship of programs. Draws: an archive of a thousand games. c6-c7 is railway.
local rail, zone, walls = {}, {}, { "b6-b7", "d6-d7" }
local camps = { "b3", "d3", "c4", "b5", "d5" }
local far_camps = { "b10", "d10", "c9", "b8", "d8" }
local links = {}

local is_camp = {}
for _, list in ipairs { camps, far_camps } do
  for _, camp in ipairs(list) do
    is_camp[camp] = true
    local file, rank = camp:byte(), tonumber(camp:sub(2))
    for _, way in ipairs { { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } } do
      local other = string.char(file + way[1]) .. rank + way[2]
      if not is_camp[other] then links[#links + 1] = camp .. "-" .. other end
    end
  end
end
for rank = 1, 12 do
  for file in ("abcde"):gmatch "." do
    local square, outer = file .. rank, file == "a" or file == "e"
    local along = rank == 2 or rank == 6 or rank == 7 or rank == 11
    if along or outer and rank > 1 and rank < 12 then rail[#rail + 1] = square end
    if rank <= 6 and not is_camp[square] then zone[#zone + 1] = square end
  end
end

local march = { "step", { slide = "railway" } }

return {
  api = 1,
  title = "Luzhanqi",
  edition = "5 x 12, 25 pieces, railways, camps and a referee (China's land battle chess)",
  board = {
    files = 5, ranks = 12,
    ground = { railway = rail, camp = { red = camps, blue = far_camps },
               headquarters = { red = { "b1", "d1" }, blue = { "b12", "d12" } } },
    links = links, walls = walls, shelter = "camp", leaves = "headquarters",
  },
  zone = { squares = zone, filled = true },
  army = { marshal = 1, general = 1, division = 2, brigadier = 2, colonel = 2, major = 2,
           captain = 3, lieutenant = 3, engineer = 3, bomb = 2, mine = 3, flag = 1 },
  pieces = {
    marshal = {
      letter = "9", label = "司", rank = 9, moves = march,
      names = { en = "Field marshal", bg = "Фелдмаршал", es = "Mariscal de campo",
                hr = "Feldmaršal", ru = "Фельдмаршал", uk = "Фельдмаршал" },
    },
    general = { letter = "8", label = "军", rank = 8, moves = march },
    division = {
      letter = "7", label = "师", rank = 7, moves = march,
      names = { en = "Division commander", bg = "Командир на дивизия", es = "General de división",
                hr = "Zapovjednik divizije", ru = "Командир дивизии", uk = "Командир дивізії" },
    },
    brigadier = {
      letter = "6", label = "旅", rank = 6, moves = march,
      names = { en = "Brigadier", bg = "Бригаден генерал", es = "General de brigada",
                hr = "Brigadir", ru = "Бригадный генерал", uk = "Бригадний генерал" },
    },
    colonel = { letter = "5", label = "团", rank = 5, moves = march },
    major = { letter = "4", label = "营", rank = 4, moves = march },
    captain = { letter = "3", label = "连", rank = 3, moves = march },
    lieutenant = { letter = "2", label = "排", rank = 2, moves = march },
    engineer = {
      letter = "1", label = "工", rank = 1, moves = { "step", { flood = "railway" } },
      names = { en = "Engineer", bg = "Инженер", es = "Ingeniero", hr = "Inženjer",
                ru = "Инженер", uk = "Інженер" },
    },
    bomb = { letter = "B", label = "炸", moves = march, start = { not_ranks = { 6 } },
             names = { en = "Bomb", bg = "Бомба", es = "Bomba", hr = "Bomba", ru = "Бомба",
                       uk = "Бомба" } },
    mine = {
      letter = "L", label = "雷", moves = "none", start = { ranks = { 1, 2 } },
      names = { en = "Mine", bg = "Мина", es = "Mina", hr = "Mina", ru = "Мина", uk = "Міна" },
    },
    flag = { letter = "F", label = "旗", moves = "none", flag = true,
             start = { squares = { "b1", "d1" } } },
  },
  combat = function(attacker, defender)
    if attacker.name == "bomb" or defender.name == "bomb" then return "both" end
    if defender.name == "mine" and attacker.name ~= "engineer" then return "defender" end
    if attacker.rank == defender.rank then return "both" end
    return attacker.rank > defender.rank and "attacker" or "defender"
  end,
  after_battle = "silent",
  fallen = "hidden",
  fall_of = { marshal = { reveal = "flag" } },
  limits = { no_attack = 70, plies = 1000 },
  tests = {
    {
      title = "A run along the railway ends in an attack, and nobody is known",
      position = { a2 = "r5", b1 = "rF", c5 = "r4", a9 = "b3", d12 = "bF", e9 = "b6" },
      move = "a2xa9", falls = "b3", after = { a9 = "r5", a2 = false }, known = "", result = "none",
    },
    {
      title = "Only an engineer turns a corner",
      position = { a2 = "r5", b1 = "rF", d12 = "bF", e9 = "b6" },
      move = "a2-b6", illegal = "movement",
    },
    {
      title = "An engineer turns as often as it likes, and is known by it",
      position = { a2 = "r1", b1 = "rF", c3 = "r4", d12 = "bF", e9 = "b6" },
      move = "a2-d7", falls = "", after = { d7 = "r1", a2 = false }, known = "d7",
    },
    {
      title = "A camp shelters, whosever it is",
      position = { b1 = "rF", c2 = "r9", b3 = "b2", d12 = "bF", e9 = "b6" },
      move = "c2xb3", illegal = "shelter",
    },
    {
      title = "A mine kills and stays",
      position = { a10 = "r8", b1 = "rF", c5 = "r4", a11 = "bL", d12 = "bF", e9 = "b6" },
      move = "a10xa11", falls = "r8", after = { a11 = "bL", a10 = false }, known = "",
    },
    {
      title = "A bomb takes the field marshal, and the flag is shown",
      position = { a2 = "r4", b1 = "rF", c6 = "rB", c7 = "b9", d12 = "bF", e9 = "b6" },
      move = "c6xc7", falls = "rB b9", after = { c6 = false, c7 = false }, known = "d12",
      result = "none",
    },
    {
      title = "An engineer takes a mine",
      position = { a10 = "r1", b1 = "rF", c5 = "r4", a11 = "bL", d12 = "bF", e9 = "b6" },
      move = "a10xa11", falls = "bL", after = { a11 = "r1" },
    },
    {
      title = "A bomb falls with the flag, and wins",
      position = { d11 = "rB", b1 = "rF", c5 = "r4", d12 = "bF", e9 = "b6" },
      move = "d11xd12", falls = "rB bF", result = "red", reason = "flag",
    },
    {
      title = "Nothing leaves a headquarters, not even the enemy's",
      position = { b12 = "r4", b1 = "rF", c5 = "r4", d12 = "bF", e9 = "b6" },
      move = "b12-b11", illegal = "leaves",
    },
    {
      title = "The mountains part the halves",
      position = { b6 = "r4", b1 = "rF", c5 = "r4", d12 = "bF", e9 = "b6" },
      move = "b6-b7", illegal = "movement",
    },
    {
      title = "A camp has eight ways",
      position = { b3 = "r4", b1 = "rF", c5 = "r4", a2 = "b3", d12 = "bF", e9 = "b6" },
      move = "b3xa2", falls = "b3", after = { a2 = "r4" },
    },
    {
      title = "A last mobile piece in a headquarters cannot move",
      position = { b12 = "r4", b1 = "rF", d12 = "bF", e9 = "b6" },
      first = "blue", move = "e9-e8", result = "blue", reason = "immobile",
    },
  },
}
