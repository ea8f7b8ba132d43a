-- balance(view, classes, likely): the probability of each kind for the hidden enemies, if some
-- squares are likelier for a kind than others. Fills class.chance; see toolkit.prospects.
-- It scales the probabilities of each enemy to sum 1, then those of each kind to the number left of
-- it, and repeats. The result is close to the exact one, by which view:weigh and view:sample draw.
local ROUNDS = 8

-- The classes of hidden kind, and the number of hidden enemies of each kind.
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
