local function targets(board, side, from)
  local list = {}
  for _, at in ipairs(board:squares()) do if at ~= from then list[#list + 1] = at end end
  return list
end
return { api = 1, extends = "duel", title = "A", pieces = { spy = { abilities = { swap = {
  when = "instead", aims = { "own", "empty" }, targets = targets,
  resolve = function() return { swap = true } end } } } } }
