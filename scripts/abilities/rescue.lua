-- rescue { … }: a piece that reaches the enemy's back rank returns a fallen piece of its side, face
-- down, to a free square of its own set-up zone. Each piece can return once.
--
--   limit    how often a side may do it in a game (default: no limit); pieces with the same ability
--            table share the limit
--   except   pieces that cannot return

local enemy_of = { red = "blue", blue = "red" }

return function(options)
  local function targets(board, side, from)
    local list = {}
    if board:back_rank(enemy_of[side], from) then
      for _, at in ipairs(board:squares()) do
        if board:in_zone(side, at) then list[#list + 1] = at end
      end
    end
    return list
  end

  local function resolve()
    return { place = true }
  end

  return {
    asks = "captured",
    when = { "after_step", "after_attack" },
    aims = "empty",
    attacks = false,
    limit = options.limit,
    except = options.except,
    targets = targets,
    resolve = resolve,
  }
end
