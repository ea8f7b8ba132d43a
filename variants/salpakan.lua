-- Salpakan, the Game of the Generals of 1970, with an arbiter: of a battle the sides hear only
-- whose pieces fell. The flag moves, and wins on the enemy's back rank.

-- Sheets say that a flag wins there at once unless an enemy stands beside it, else if the next move
-- does not take it. A piece moves one square, so the winner is the same if it always waits for that
-- move, and nobody is told before that a flag has come. Of two flags across the first wins.
-- A side that has no legal move has lost: sheets are silent.
local function combat(attacker, defender)
  if defender.flag then return "attacker" end -- by a flag, too
  if attacker.flag then return "defender" end
  if attacker.name == "private" and defender.name == "spy" then return "attacker" end
  if attacker.name == "spy" and defender.name == "private" then return "defender" end
  if attacker.rank == defender.rank then return "both" end
  return attacker.rank > defender.rank and "attacker" or "defender"
end

return {
  api = 1,
  title = "Salpakan",
  edition = "9 x 8, 21 pieces, an arbiter and a flag that runs (the Game of the Generals)",
  board = { files = 9, ranks = 8 },
  zone = { ranks = 3 },
  army = { five_star = 1, four_star = 1, three_star = 1, two_star = 1, one_star = 1, colonel = 1,
           lieutenant_colonel = 1, major = 1, captain = 1, first_lieutenant = 1,
           second_lieutenant = 1, sergeant = 1, private = 6, spy = 2, flag = 1 },
  pieces = {
    flag = { letter = "F", flag = true, moves = "step" },
    spy = { letter = "S", rank = 14 },
    five_star = {
      letter = "5", rank = 13,
      names = { en = "Five-star general", bg = "Генерал с пет звезди",
                es = "General de cinco estrellas", hr = "General s pet zvjezdica",
                ru = "Генерал с пятью звёздами", uk = "Генерал із п'ятьма зірками" },
    },
    four_star = {
      letter = "4", rank = 12,
      names = { en = "Four-star general", bg = "Генерал с четири звезди",
                es = "General de cuatro estrellas", hr = "General s četiri zvjezdice",
                ru = "Генерал с четырьмя звёздами", uk = "Генерал із чотирма зірками" },
    },
    three_star = {
      letter = "3", rank = 11,
      names = { en = "Three-star general", bg = "Генерал с три звезди",
                es = "General de tres estrellas", hr = "General s tri zvjezdice",
                ru = "Генерал с тремя звёздами", uk = "Генерал із трьома зірками" },
    },
    two_star = {
      letter = "2", rank = 10,
      names = { en = "Two-star general", bg = "Генерал с две звезди",
                es = "General de dos estrellas", hr = "General s dvije zvjezdice",
                ru = "Генерал с двумя звёздами", uk = "Генерал із двома зірками" },
    },
    one_star = {
      letter = "1", rank = 9,
      names = { en = "One-star general", bg = "Генерал с една звезда",
                es = "General de una estrella", hr = "General s jednom zvjezdicom",
                ru = "Генерал с одной звездой", uk = "Генерал з однією зіркою" },
    },
    colonel = { letter = "C", rank = 8 },
    lieutenant_colonel = {
      letter = "L", rank = 7,
      names = { en = "Lieutenant colonel", bg = "Подполковник", es = "Teniente coronel",
                hr = "Potpukovnik", ru = "Подполковник", uk = "Підполковник" },
    },
    major = { letter = "M", rank = 6 },
    captain = { letter = "K", rank = 5 },
    first_lieutenant = {
      letter = "U", rank = 4,
      names = { en = "First lieutenant", bg = "Старши лейтенант", es = "Teniente primero",
                hr = "Natporučnik", ru = "Старший лейтенант", uk = "Старший лейтенант" },
    },
    second_lieutenant = {
      letter = "V", rank = 3,
      names = { en = "Second lieutenant", bg = "Младши лейтенант", es = "Subteniente",
                hr = "Poručnik", ru = "Младший лейтенант", uk = "Молодший лейтенант" },
    },
    sergeant = { letter = "T", rank = 2 },
    private = {
      letter = "P", rank = 1,
      names = { en = "Private", bg = "Редник", es = "Soldado raso", hr = "Vojnik", ru = "Рядовой",
                uk = "Рядовий" },
    },
  },
  combat = combat,
  after_battle = "silent",
  fallen = "hidden",
  goal = { { piece = "flag", at = "far_rank", after = 1 } },
  first = "chosen",
  tests = {
    {
      title = "The higher officer wins, and nobody is told more",
      position = { a2 = "rP", d4 = "r1", e1 = "rF", d5 = "bC", e8 = "bF", h7 = "bP" },
      move = "d4xd5", falls = "bC", after = { d5 = "r1", d4 = false }, known = "", result = "none",
    },
    {
      title = "A spy takes the highest",
      position = { a2 = "rP", d4 = "rS", e1 = "rF", d5 = "b5", e8 = "bF", h7 = "bP" },
      move = "d4xd5", falls = "b5", after = { d5 = "rS" }, known = "",
    },
    {
      title = "But falls to a private, whoever attacks",
      position = { a2 = "rP", d4 = "rS", e1 = "rF", d5 = "bP", e8 = "bF", h7 = "bT" },
      move = "d4xd5", falls = "rS", after = { d5 = "bP", d4 = false }, known = "",
    },
    {
      title = "A private takes a spy",
      position = { a2 = "rP", d4 = "rP", e1 = "rF", d5 = "bS", e8 = "bF", h7 = "bT" },
      move = "d4xd5", falls = "bS", after = { d5 = "rP" }, known = "",
    },
    {
      title = "Equals both fall",
      position = { a2 = "r3", d4 = "rP", e1 = "rF", d5 = "bP", e8 = "bF", h7 = "bT" },
      move = "d4xd5", falls = "rP bP", after = { d4 = false, d5 = false },
    },
    {
      title = "Two spies both fall",
      position = { a2 = "r3", d4 = "rS", e1 = "rF", d5 = "bS", e8 = "bF", h7 = "bT" },
      move = "d4xd5", falls = "rS bS",
    },
    {
      title = "A flag that attacks anything but a flag has lost",
      position = { a2 = "rP", d4 = "rF", d5 = "bP", e8 = "bF" },
      move = "d4xd5", falls = "rF", result = "blue", reason = "flag",
    },
    {
      title = "A flag that attacks the other flag has won",
      position = { a2 = "rP", d4 = "rF", d5 = "bF", h7 = "bP" },
      move = "d4xd5", falls = "bF", result = "red", reason = "flag",
    },
    {
      title = "A flag on the far rank wins unless it is taken at once",
      position = { a2 = "rP", b1 = "rP", e7 = "rF", d8 = "b5", e2 = "bF", h4 = "bP" },
      moves = "e7-e8", move = "h4-h3", result = "red", reason = "goal",
    },
    {
      title = "Until then nobody is told that it is the flag",
      position = { a2 = "rP", b1 = "rP", e7 = "rF", d8 = "b5", e2 = "bF", h4 = "bP" },
      move = "e7-e8", result = "none", known = "",
    },
    {
      title = "Taken at once, it has lost",
      position = { a2 = "rP", b1 = "rP", e7 = "rF", d8 = "b5", e2 = "bF", h4 = "bP" },
      moves = "e7-e8", move = "d8xe8", falls = "rF", result = "blue", reason = "flag",
    },
    {
      title = "Of two flags across the first wins",
      position = { a2 = "rP", e7 = "rF", b2 = "bF", h4 = "bP" },
      moves = "e7-e8", move = "b2-b1", result = "red", reason = "goal",
    },
    {
      title = "Two flags alone play on",
      position = { d4 = "rP", e4 = "rF", d5 = "bP", e6 = "bF" },
      move = "d4xd5", falls = "rP bP", result = "none",
    },
  },
}
