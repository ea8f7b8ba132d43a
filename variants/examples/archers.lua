-- Two pieces that shoot. An archer that wins its attack stays where it is: its arrow goes, it does
-- not. A crossbow shoots at an enemy two squares away in place of a move, over whatever stands
-- between; who falls is decided as if it had attacked.
return {
  api = 1, extends = "original",
  title = "Archers",
  army = { scout = 6, archer = 1, crossbow = 1 },
  pieces = {
    archer = {
      letter = "A", rank = 5, advances = false,
      names = { en = "Archer", bg = "Стрелец", es = "Arquero", hr = "Strijelac", ru = "Лучник",
                uk = "Лучник" },
    },
    crossbow = {
      letter = "C", rank = 4,
      names = { en = "Crossbow", bg = "Арбалет", es = "Ballesta", hr = "Samostrel", ru = "Арбалет",
                uk = "Арбалет" },
      abilities = {
        shoot = {
          targets = function(board, _, from)
            local list = {}
            for _, way in ipairs { { 0, 2 }, { 2, 0 }, { 0, -2 }, { -2, 0 } } do
              local at = board:step(from, way[1], way[2])
              if at and not board:is_lake(at) then list[#list + 1] = at end
            end
            return list
          end,
          resolve = function() return { battle = true } end,
        },
      },
    },
  },
  tests = {
    {
      title = "An archer that wins stays where it is, and is known",
      position = { e4 = "rA", e5 = "b4", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "e4xe5", falls = "b4", after = { e4 = "rA", e5 = false }, known = "e4",
    },
    {
      title = "It falls as others do",
      position = { e4 = "rA", e5 = "b6", a1 = "r2", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "e4xe5", falls = "rA", after = { e4 = false, e5 = "b6" }, known = "e5",
    },
    {
      title = "A crossbow shoots a weaker piece two squares away",
      position = { e4 = "rC", e5 = "rB", e6 = "b3", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "e4@e6", after = { e4 = "rC", e6 = false }, known = "e4", result = "none",
    },
    {
      title = "And falls to a stronger one, which it has uncovered",
      position = { e4 = "rC", a1 = "r2", e6 = "b9", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "e4@e6", after = { e4 = false, e6 = "b9" }, known = "e6", result = "none",
    },
  },
}
