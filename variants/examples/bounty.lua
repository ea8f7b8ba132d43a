-- Points: a piece that falls brings the enemy its rank in points, and 20 points win. A trader
-- spends three points of its side to uncover an enemy next to it. The numbers are public: boards
-- show them.
local function price(rank) return rank > 0 and rank or 1 end

return {
  api = 1, extends = "duel",
  title = "Bounty",
  note = "A piece that falls in a battle brings the enemy as many points as its rank, at least 1.",
  army = { trader = 1 },
  counters = {
    points = {
      each = true, from = 0, to = 20, title = "Points",
      names = { bg = "Точки", es = "Puntos", hr = "Bodovi", ru = "Очки", uk = "Очки" },
    },
  },
  goal = { { counter = "points", reaches = 20 } },
  pieces = {
    trader = {
      letter = "T", rank = 1,
      names = { en = "Trader", bg = "Търговец", es = "Mercader", hr = "Trgovac", ru = "Торговец",
                uk = "Торговець" },
      abilities = {
        buy = {
          targets = function(board, _, from) return board:neighbours(from) end,
          resolve = function() return { reveal = "both", add = "points", by = -3 } end,
          attacks = false,
        },
      },
    },
  },
  calls = {
    -- What the side does not have it cannot spend.
    legal = function(position, move)
      if move.ability == "buy" and position:counter("points", move.side) < 3 then
        return false, "it costs three points"
      end
      return true
    end,
    after_battle = function(position, move)
      local effects, enemy = {}, move.side == "red" and "blue" or "red"
      if move.outcome ~= "defender" then
        effects[#effects + 1] = { add = "points", side = move.side,
                                  by = price(position:rank(move.attacks)) }
      end
      if move.outcome ~= "attacker" then
        effects[#effects + 1] = { add = "points", side = enemy,
                                  by = price(position:rank(move.kind)) }
      end
      return effects
    end,
  },
  tests = {
    {
      title = "A general that falls is worth nine points",
      position = { f1 = "rF", a4 = "rM", f10 = "bF", a5 = "b9", j9 = "b3" },
      move = "a4xa5", counters = { points = { red = 9, blue = 0 } }, result = "none",
    },
    {
      title = "In a tie both sides get points",
      position = { f1 = "rF", a4 = "r3", j1 = "r3", f10 = "bF", a5 = "b3", j9 = "b2" },
      move = "a4xa5", counters = { points = { red = 3, blue = 3 } },
    },
    {
      title = "Without three points nothing can be bought",
      position = { f1 = "rF", a4 = "rT", f10 = "bF", a5 = "b9", j9 = "b3" },
      move = "a4@a5", illegal = "variant",
    },
    {
      title = "The trader uncovers a neighbour for three points",
      position = { f1 = "rF", a4 = "rM", b4 = "rT", f10 = "bF", a5 = "b9", b5 = "b2", j9 = "b3" },
      moves = "a4xa5 j9-j8", move = "b4@b5", known = "a5 b4 b5",
      counters = { points = { red = 6, blue = 0 } },
    },
    {
      title = "Twenty points win",
      position = { f1 = "rF", a4 = "rM", b4 = "rS", e5 = "r3", f10 = "bF", a5 = "b9", b5 = "bM",
                   e6 = "bB", j9 = "b3" },
      moves = "a4xa5 j9-j8 b4xb5 j8-j7", move = "e5xe6", result = "red", reason = "goal",
      counters = { points = { red = 20, blue = 0 } },
    },
  },
}
