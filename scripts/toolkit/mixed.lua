-- mixed(view, list, scores, temperature): draws an entry of a list by chance, the likelier the
-- higher its score, so that a bot that repeats a position does not repeat itself. Gives the entry
-- and the chance that it had.
--
--   scores[i]     of list[i]: a number, such as those of mind:chances()
--   temperature   a score less by so much makes an entry 2.72 times as unlikely; 0 or more and
--                 finite, in the unit of the scores. With 0 only the best can be drawn
--
-- Entries that fall short of the best by FAR temperatures or more are never drawn.
local FAR = 5

local function check(scores, count, temperature)
  for i = 1, count do
    local score = scores[i]
    if type(score) ~= "number" or score ~= score then
      error("mixed: score " .. i .. " must be a number, not " .. tostring(score), 3)
    end
  end
  if type(temperature) ~= "number" or not (temperature >= 0 and temperature < math.huge) then
    error("mixed: the temperature must be a number from 0, not " .. tostring(temperature), 3)
  end
end

return function(view, list, scores, temperature)
  local best, sum, weights = nil, 0, {}
  check(scores, #list, temperature)
  for i = 1, #list do
    if not best or scores[i] > best then best = scores[i] end
  end
  for i = 1, #list do
    local short = scores[i] == best and 0 or best - scores[i]
    weights[i] = 0
    if short == 0 or short < FAR * temperature then
      weights[i] = math.exp(short == 0 and 0 or -short / temperature)
    end
    sum = sum + weights[i]
  end
  local drawn, last = view:random() * sum, nil
  for i = 1, #list do
    if weights[i] > 0 then
      last = i
      drawn = drawn - weights[i]
      if drawn < 0 then break end
    end
  end
  if last then return list[last], weights[last] / sum end
end
