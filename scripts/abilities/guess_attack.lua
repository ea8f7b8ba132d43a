-- guess_attack { … }: the piece names the kind of an enemy piece. A right guess removes that piece;
-- after a wrong one both stay. Either way the guesser stays where it is and is revealed.
--
--   reach       how many squares away the target may be, along a rank or file (default 1);
--               pieces may stand between, lakes may not
--   from        "enemy_zone": only from the enemy's set-up ranks (default: from anywhere)
--   step_first  true: the piece may first step to an empty square, in the same turn
--   limit       how often a side may do it in a game (default: no limit)

local directions = { { 0, 1 }, { 1, 0 }, { 0, -1 }, { -1, 0 } }
local enemy_of = { red = "blue", blue = "red" }

return function(options)
  local reach = options.reach or 1

  local function targets(board, side, from)
    local list = {}
    if options.from == "enemy_zone" and not board:in_zone(enemy_of[side], from) then
      return list
    end
    for _, direction in ipairs(directions) do
      local at = from
      for _ = 1, reach do
        at = board:step(at, direction[1], direction[2])
        if not at or board:is_lake(at) then break end
        list[#list + 1] = at
      end
    end
    return list
  end

  local function resolve(_, target, guess)
    if guess == target then
      return { remove = "target", reveal = "actor" }
    end
    return { reveal = "actor" }
  end

  return {
    asks = "kind",
    when = options.step_first and { "instead", "after_step" } or "instead",
    aims = "enemy",
    attacks = true,
    limit = options.limit,
    targets = targets,
    resolve = resolve,
  }
end
