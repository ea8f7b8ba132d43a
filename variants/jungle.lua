-- Jungle, Dou Shou Qi: the animal chess of China. All pieces are seen, and the armies always start
-- in the same way. An attack that would be lost is no move.

-- Sources differ. Wolf over dog, as the printed order in China has it. Lion and tiger both leap, in
-- both directions. Nobody attacks across the bank, neither out of the water nor into it. The
-- elephant may not attack the rat. A trap weakens an enemy that stands in it, and not the one that
-- attacks out of it. A position that comes up three times is a draw, so is a hundred plies without
-- an attack: most sheets are silent.
local river = { "b4", "c4", "e4", "f4", "b5", "c5", "e5", "f5", "b6", "c6", "e6", "f6" }

local function walk(board, _, from)
  local ways = {}
  for _, to in ipairs(board:neighbours(from)) do
    if not board:is("river", to) then ways[#ways + 1] = to end
  end
  return ways
end

-- Steps, and straight over the water to the first square behind it, if all of it is free.
local function leap(board, side, from)
  local ways = walk(board, side, from)
  for _, way in ipairs { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } do
    local over, to = { stops = false }, board:step(from, way[1], way[2])
    while to and board:is("river", to) do
      over[#over + 1] = to
      to = board:step(to, way[1], way[2])
    end
    if to and #over > 0 then
      over[#over + 1] = to
      ways[#ways + 1] = over
    end
  end
  return ways
end

local function combat(attacker, defender, from, to)
  if from.river ~= to.river then return false end
  if to.trap == "own" then return "attacker" end
  if attacker.name == "elephant" and defender.name == "rat" then return false end
  if attacker.name == "rat" and defender.name == "elephant" then return "attacker" end
  return attacker.rank >= defender.rank and "attacker"
end

return {
  api = 1,
  title = "Jungle",
  edition = "7 x 9, eight animals and a den, all seen (Dou Shou Qi, China's animal chess)",
  board = {
    files = 7, ranks = 9,
    ground = { river = river,
               trap = { red = { "c1", "e1", "d2" }, blue = { "c9", "e9", "d8" } } },
  },
  zone = { ranks = 3 },
  army = { elephant = 1, lion = 1, tiger = 1, leopard = 1, wolf = 1, dog = 1, cat = 1, rat = 1,
           den = 1 },
  setup = "E.W.P.R/.C...D./T..N..L",
  open = true,
  combat = combat,
  pieces = {
    elephant = {
      letter = "E", label = "象", rank = 8, moves = walk,
      names = { en = "Elephant", bg = "Слон", es = "Elefante", hr = "Slon", ru = "Слон",
                uk = "Слон" },
    },
    lion = {
      letter = "L", label = "狮", rank = 7, moves = leap,
      names = { en = "Lion", bg = "Лъв", es = "León", hr = "Lav", ru = "Лев", uk = "Лев" },
    },
    tiger = {
      letter = "T", label = "虎", rank = 6, moves = leap,
      names = { en = "Tiger", bg = "Тигър", es = "Tigre", hr = "Tigar", ru = "Тигр",
                uk = "Тигр" },
    },
    leopard = {
      letter = "P", label = "豹", rank = 5, moves = walk,
      names = { en = "Leopard", bg = "Леопард", es = "Leopardo", hr = "Leopard", ru = "Леопард",
                uk = "Леопард" },
    },
    wolf = {
      letter = "W", label = "狼", rank = 4, moves = walk,
      names = { en = "Wolf", bg = "Вълк", es = "Lobo", hr = "Vuk", ru = "Волк", uk = "Вовк" },
    },
    dog = {
      letter = "D", label = "狗", rank = 3, moves = walk,
      names = { en = "Dog", bg = "Куче", es = "Perro", hr = "Pas", ru = "Собака",
                uk = "Собака" },
    },
    cat = {
      letter = "C", label = "猫", rank = 2, moves = walk,
      names = { en = "Cat", bg = "Котка", es = "Gato", hr = "Mačka", ru = "Кошка", uk = "Кіт" },
    },
    rat = {
      letter = "R", label = "鼠", rank = 1,
      names = { en = "Rat", bg = "Плъх", es = "Rata", hr = "Štakor", ru = "Крыса",
                uk = "Пацюк" },
    },
    -- It shuts its own side out, and falls to whoever enters it.
    den = {
      letter = "N", label = "穴", flag = true, moves = "none",
      names = { en = "Den", bg = "Бърлога", es = "Guarida", hr = "Jazbina", ru = "Логово",
                uk = "Лігво" },
    },
  },
  repetition = 3,
  limits = { no_attack = 100, plies = 1000 },
  tests = {
    {
      title = "A rat takes an elephant on land",
      position = { d1 = "rN", b2 = "rC", d4 = "rR", d5 = "bE", f8 = "bC", d9 = "bN" },
      move = "d4xd5", falls = "bE", after = { d5 = "rR", d4 = false }, result = "none",
    },
    {
      title = "But not out of the water",
      position = { d1 = "rN", b2 = "rC", c5 = "rR", d5 = "bE", f8 = "bC", d9 = "bN" },
      move = "c5xd5", illegal = "battle",
    },
    {
      title = "Nor does a rat on land attack one in the water",
      position = { d1 = "rN", b2 = "rC", d5 = "rR", c5 = "bR", f8 = "bC", d9 = "bN" },
      move = "d5xc5", illegal = "battle",
    },
    {
      title = "In the water rats fight each other",
      position = { d1 = "rN", b2 = "rC", b5 = "rR", c5 = "bR", f8 = "bC", d9 = "bN" },
      move = "b5xc5", falls = "bR", after = { c5 = "rR" },
    },
    {
      title = "An elephant does not attack a rat",
      position = { d1 = "rN", b2 = "rC", d4 = "rE", d5 = "bR", f8 = "bC", d9 = "bN" },
      move = "d4xd5", illegal = "battle",
    },
    {
      title = "In its own trap it does",
      position = { d1 = "rN", b2 = "rC", c2 = "rE", d2 = "bR", f8 = "bC", d9 = "bN" },
      move = "c2xd2", falls = "bR", after = { d2 = "rE" },
    },
    {
      title = "A tiger leaps over the river and takes what stands behind",
      position = { d1 = "rN", a5 = "rT", b2 = "rC", d5 = "bP", f8 = "bC", d9 = "bN" },
      move = "a5xd5", falls = "bP", after = { d5 = "rT", a5 = false }, result = "none",
    },
    {
      title = "Not what is stronger",
      position = { d1 = "rN", a5 = "rT", b2 = "rC", d5 = "bL", f8 = "bC", d9 = "bN" },
      move = "a5xd5", illegal = "battle",
    },
    {
      title = "A lion leaps along the river, too",
      position = { d1 = "rN", b7 = "rL", b2 = "rC", f8 = "bC", d9 = "bN" },
      move = "b7-b3", after = { b3 = "rL", b7 = false },
    },
    {
      title = "Any rat in the water stops a leap",
      position = { d1 = "rN", b2 = "rC", b3 = "rL", b5 = "rR", f8 = "bC", d9 = "bN" },
      move = "b3-b7", illegal = "blocked",
    },
    {
      title = "A leap does not end in the water",
      position = { d1 = "rN", b2 = "rC", b3 = "rL", f8 = "bC", d9 = "bN" },
      move = "b3-b5", illegal = "movement",
    },
    {
      title = "Only rats swim",
      position = { d1 = "rN", b2 = "rC", b3 = "rP", f8 = "bC", d9 = "bN" },
      move = "b3-b4", illegal = "movement",
    },
    {
      title = "A rat does",
      position = { d1 = "rN", b2 = "rC", b3 = "rR", f8 = "bC", d9 = "bN" },
      move = "b3-b4", after = { b4 = "rR" },
    },
    {
      title = "An equal is taken",
      position = { d1 = "rN", b2 = "rC", d4 = "rW", d5 = "bW", f8 = "bC", d9 = "bN" },
      move = "d4xd5", falls = "bW", after = { d5 = "rW" },
    },
    {
      title = "A dog does not attack a wolf",
      position = { d1 = "rN", b2 = "rC", d4 = "rD", d5 = "bW", f8 = "bC", d9 = "bN" },
      move = "d4xd5", illegal = "battle",
    },
    {
      title = "A trap takes all strength",
      position = { d1 = "rN", c2 = "rC", g1 = "rL", d2 = "bL", f8 = "bC", d9 = "bN" },
      move = "c2xd2", falls = "bL", after = { d2 = "rC", c2 = false }, result = "none",
    },
    {
      title = "Not to attack out of it",
      position = { d1 = "rN", b2 = "rC", d8 = "rL", d7 = "bT", f8 = "bC", d9 = "bN" },
      move = "d8xd7", falls = "bT",
    },
    {
      title = "Nor to its own side's pieces",
      position = { d1 = "rN", d2 = "rC", g1 = "rL", c2 = "bD", f8 = "bC", d9 = "bN" },
      first = "blue", move = "c2xd2", falls = "rC", after = { d2 = "bD" },
    },
    {
      title = "And weak pieces are safe there from what is weaker still",
      position = { d1 = "rN", d2 = "rD", g1 = "rL", c2 = "bC", f8 = "bT", d9 = "bN" },
      first = "blue", move = "c2xd2", illegal = "battle",
    },
    {
      title = "A den entered is a game won",
      position = { d1 = "rN", b2 = "rT", d8 = "rC", a9 = "bL", f8 = "bC", d9 = "bN" },
      move = "d8xd9", result = "red", reason = "flag",
    },
    {
      title = "Nobody enters its own",
      position = { d1 = "rN", b2 = "rT", d2 = "rC", a9 = "bL", f8 = "bC", d9 = "bN" },
      move = "d2-d1", illegal = "own-piece",
    },
    {
      title = "A side without an animal has lost",
      position = { d1 = "rN", d4 = "rW", d5 = "bD", d9 = "bN" },
      move = "d4xd5", falls = "bD", result = "red", reason = "immobile",
    },
    {
      title = "So has one without a legal move",
      position = { d1 = "rN", a2 = "rL", c1 = "rW", a1 = "bC", d9 = "bN" },
      move = "c1-b1", result = "red", reason = "immobile",
    },
    {
      title = "A position that comes up three times is a draw",
      position = { d1 = "rN", a1 = "rT", a9 = "bL", d9 = "bN" },
      moves = "a1-a2 a9-a8 a2-a1 a8-a9 a1-a2 a9-a8 a2-a1", move = "a8-a9", result = "draw",
      reason = "repetition",
    },
  },
}
