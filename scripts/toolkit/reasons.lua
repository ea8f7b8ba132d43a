-- reasons(view, scores, worth): what bot.explain returns: the three moves with the highest scores,
-- the best first, with the chance that the battle is won or the guess is right, and the worth of
-- the piece that a battle risks. `scores` is a table from move to score, `worth` one from kind to
-- worth.
local MOST = 3

local function reason(view, move, score, worth)
  local found = { move = move, score = score }
  local mine = view:at(view:from(move))
  local enemy = view:to(move) ~= view:from(move) and view:at(view:to(move))
  if enemy then
    found.chance = (view:odds(mine, enemy))
    found.stake = worth[view:kind(mine)]
  elseif view:removes(move) > 0 then
    found.chance = view:removes(move)
  end
  return found
end

return function(view, scores, worth)
  local list, moves = {}, view:moves()
  for i = 1, #moves do
    local score = scores[moves[i]]
    local at = #list + 1
    while score and at > 1 and list[at - 1].score < score do at = at - 1 end
    if score and at <= MOST then
      table.insert(list, at, { move = moves[i], score = score })
      list[MOST + 1] = nil
    end
  end
  for i = 1, #list do list[i] = reason(view, list[i].move, list[i].score, worth) end
  return list
end
