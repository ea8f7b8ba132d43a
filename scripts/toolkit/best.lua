-- best(list, score): the entry of a list with the highest score(entry), and that score.
return function(list, score)
  local best, highest
  for i = 1, #list do
    local value = score(list[i])
    if not highest or value > highest then
      best, highest = list[i], value
    end
  end
  return best, highest
end
