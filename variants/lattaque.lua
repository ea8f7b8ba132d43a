-- The game of 1910 from which the family comes. A piece may attack after a step in the same turn,
-- and a scout that wins goes back to where it came from.

-- Sources differ. One step, then an attack on any neighbour of the square that was reached: four of
-- five say that a piece which has come up to an enemy may declare an attack. Four mines: an
-- encyclopedia and a French catalogue; one history counts six.
local step_and_attack = { reach = 2, turns = true, last = "attack" }

return {
  api = 1, extends = "original",
  title = "L'Attaque",
  edition = "9 x 10, 36 pieces, a step and an attack in one turn (as sold from 1910)",
  -- Three lakes of two squares each, after the drawing of the patent.
  board = { files = 9, ranks = 10, lakes = { "c5", "c6", "e5", "e6", "g5", "g6" } },
  army = { bomb = 4, miner = 4, major = 2 },
  pieces = {
    marshal = {
      moves = step_and_attack,
      names = { en = "Commander-in-chief", bg = "Главнокомандващ", es = "Comandante en jefe",
                hr = "Vrhovni zapovjednik", ru = "Главнокомандующий", uk = "Головнокомандувач" },
    },
    general = {
      moves = step_and_attack,
      names = { en = "Brigadier", bg = "Бригаден генерал", es = "General de brigada",
                hr = "Brigadir", ru = "Бригадный генерал", uk = "Бригадний генерал" },
    },
    colonel = { moves = step_and_attack },
    major = { moves = step_and_attack },
    captain = { moves = step_and_attack },
    lieutenant = { moves = step_and_attack },
    sergeant = { moves = step_and_attack },
    miner = {
      moves = step_and_attack,
      names = { en = "Sapper", bg = "Сапьор", es = "Zapador", hr = "Pionir", ru = "Сапёр",
                uk = "Сапер" },
    },
    spy = { moves = step_and_attack },
    scout = { advances = false },
    bomb = {
      names = { en = "Mine", bg = "Мина", es = "Mina", hr = "Mina", ru = "Мина", uk = "Міна" },
    },
  },
  first = "chosen",
  two_squares = false,
  chase = false,
  tests = {
    {
      title = "Step, then attack, in one turn",
      position = { a4 = "r7", f1 = "rF", i2 = "r3", a6 = "b5", f10 = "bF", i9 = "b4" },
      move = "a4xa6", falls = "b5", after = { a6 = "r7", a4 = false }, known = "a6",
    },
    {
      title = "Round a corner, too",
      position = { a4 = "r7", f1 = "rF", i2 = "r3", b5 = "b5", f10 = "bF", i9 = "b4" },
      move = "a4xb5", falls = "b5", after = { b5 = "r7", a4 = false },
    },
    {
      title = "The step goes to an empty square",
      position = { a4 = "r7", a5 = "r6", f1 = "rF", a6 = "b5", f10 = "bF", i9 = "b4" },
      move = "a4xa6", illegal = "blocked",
    },
    {
      title = "Two steps without an attack are no move",
      position = { a4 = "r7", f1 = "rF", i2 = "r3", f10 = "bF", i9 = "b4" },
      move = "a4-a6", illegal = "movement",
    },
    {
      title = "A scout that wins goes back, and is known",
      position = { a4 = "r2", f1 = "rF", i2 = "r3", a8 = "bS", f10 = "bF", i9 = "b4" },
      move = "a4xa8", falls = "bS", after = { a4 = "r2", a8 = false }, known = "a4",
    },
    {
      title = "A scout's equal falls with it",
      position = { a4 = "r2", f1 = "rF", i2 = "r3", a8 = "b2", f10 = "bF", i9 = "b4" },
      move = "a4xa8", falls = "r2 b2",
    },
    {
      title = "A spy that steps up takes the commander-in-chief",
      position = { a4 = "rS", f1 = "rF", i2 = "r3", a6 = "bM", f10 = "bF", i9 = "b4" },
      move = "a4xa6", falls = "bM", after = { a6 = "rS" },
    },
    {
      title = "A mine stays",
      position = { a5 = "r9", f1 = "rF", i2 = "r3", a6 = "bB", f10 = "bF", i9 = "b4" },
      move = "a5xa6", falls = "r9", after = { a6 = "bB" }, known = "a6",
    },
    {
      title = "A sapper removes it",
      position = { a4 = "r3", f1 = "rF", i2 = "r3", a6 = "bB", f10 = "bF", i9 = "b4" },
      move = "a4xa6", falls = "bB", after = { a6 = "r3" },
    },
  },
}
