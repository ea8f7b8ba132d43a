-- rescue { … }: a piece that has reached the enemy's back rank brings a fallen piece of its side
-- back, face down, onto a free square of its own set-up zone. Each piece comes back once at most.
--
--   limit    how often in a game a side may do it (default: no limit); give the same table to all
--            pieces that may rescue, and they share the limit
--   except   pieces that cannot be brought back

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
