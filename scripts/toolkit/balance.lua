-- balance(view, classes, likely): how likely each hidden enemy is of each kind when some places are
-- likelier than others. Fills class.chance of each class of enemies; see toolkit.prospects.
-- By turns it makes the chances of each enemy sum to 1 and those of each kind sum to the number
-- that is left of it. That comes close to the true chances; view:weigh and view:sample would draw
-- by them.
local ROUNDS = 8

-- The classes whose kind is hidden, and how many of each kind are.
local function read_hidden(view, classes)
  local hidden, left = {}, {}
  for _, kind in ipairs(view:kinds()) do left[kind] = view:left(view:other_side(), kind) end
  for i = 1, #classes do
    local class = classes[i]
    local kind = view:kind(class.example)
    if kind then
      left[kind] = left[kind] - #class.squares
    else
      hidden[#hidden + 1] = class
    end
  end
  return hidden, left
end

return function(view, classes, likely)
  local hidden, left = read_hidden(view, classes)
  for _, class in ipairs(hidden) do
    local moved = view:moved(class.example)
    for k = 1, #class.may_be do
      class.chance[k] = moved and 1 or likely(view, class.example, class.may_be[k])
    end
  end
  for _ = 1, ROUNDS do
    local sums = {}
    for _, class in ipairs(hidden) do
      local chance, may_be, sum = class.chance, class.may_be, 0
      for k = 1, #chance do sum = sum + chance[k] end
      for k = 1, #chance do
        chance[k] = sum > 0 and chance[k] / sum or 0
        sums[may_be[k]] = (sums[may_be[k]] or 0) + chance[k] * #class.squares
      end
    end
    for _, class in ipairs(hidden) do
      local chance, may_be = class.chance, class.may_be
      for k = 1, #chance do
        if sums[may_be[k]] > 0 then chance[k] = chance[k] * left[may_be[k]] / sums[may_be[k]] end
      end
    end
  end
end
