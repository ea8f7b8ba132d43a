-- layout(view): the text of a sensible, random set-up for any variant.
-- The flag is on the back rank, with immobile pieces around it. Every other kind has a preferred
-- rank, to which chance is added. Kinds that may not start everywhere come first.

-- The zone's squares, as the owner sees them: row 1 is the front, column 1 the left.
local function read_zone(view)
  local files, rows = view:files(), view:zone_ranks()
  local squares = {}
  for row = 1, rows do
    for column = 1, files do
      local rank, file = rows - row + 1, column
      if view:side() == "blue" then
        rank, file = view:ranks() - rank + 1, files - file + 1
      end
      local square = view:square(file, rank)
      if view:in_zone(square) then
        squares[#squares + 1] = { row = row, column = column, square = square }
      end
    end
  end
  return squares, rows
end

-- The preferred row of a kind, from 0 (front) to 1 (back rank), and how strong the preference is.
local function wish(view, kind, strongest)
  if not view:mobile(kind) then return 0.8, 2 end
  if view:army(kind) > 5 then return 0.3, 0.7 end -- many of a kind, such as scouts: anywhere
  if #view:abilities(kind) > 0 then return 0.4, 2 end
  if view:strength(kind) * 2 < view:strength(strongest) then return 0.7, 1.5 end
  return 0.25, 1.5
end

local function strongest_kind(view)
  local strongest
  for _, kind in ipairs(view:kinds()) do
    if view:mobile(kind) and (not strongest or view:strength(kind) > view:strength(strongest)) then
      strongest = kind
    end
  end
  return strongest
end

-- The number of squares where a kind may start.
local function room(view, squares, kind)
  local count = 0
  for _, place in ipairs(squares) do
    if view:may_start(kind, place.square) then count = count + 1 end
  end
  return count
end

-- Removes the square with the lowest cost from the list and returns it; nil if none has a cost.
local function take(squares, cost)
  local best, least
  for i = 1, #squares do
    local price = cost(squares[i])
    if price and (not least or price < least) then best, least = i, price end
  end
  return best and table.remove(squares, best)
end

return function(view)
  local squares, rows = read_zone(view)
  local at, flag = {}, nil
  local function put(kind, square)
    at[square.row * 100 + square.column] = view:letter(kind)
  end

  -- Flags first, then immobile pieces, then the others from the strongest down.
  local order, strongest, rooms = {}, strongest_kind(view), {}
  for _, kind in ipairs(view:kinds()) do
    rooms[kind] = room(view, squares, kind)
    for _ = 1, view:army(kind) do order[#order + 1] = kind end
  end
  local function turn(kind)
    if view:is_flag(kind) then return 2000 end
    return (view:mobile(kind) and 0 or 1000) + view:strength(kind)
  end
  table.sort(order, function(a, b)
    if rooms[a] ~= rooms[b] then return rooms[a] < rooms[b] end
    if turn(a) ~= turn(b) then return turn(a) > turn(b) end
    return a < b
  end)

  for _, kind in ipairs(order) do
    local depth, care = wish(view, kind, strongest)
    local square = take(squares, function(square)
      if not view:may_start(kind, square.square) then return nil end
      local cost = view:random()
      if view:is_flag(kind) then return cost + 10 * (rows - square.row) end
      if not view:mobile(kind) and flag then
        local near = math.abs(square.row - flag.row) + math.abs(square.column - flag.column)
        if near == 1 then return cost - 0.7 end
        if square.row == 1 then return cost + 5 end -- the front is for mobile pieces
      end
      local row = rows > 1 and (square.row - 1) / (rows - 1) or 0
      return cost + care * math.abs(row - depth)
    end)
    if not square then return view:random_setup() end -- its squares are taken
    if view:is_flag(kind) then flag = square end
    put(kind, square)
  end

  local lines = {}
  for row = 1, rows do
    local letters = {}
    for column = 1, view:files() do letters[column] = at[row * 100 + column] or "." end
    lines[row] = table.concat(letters)
  end
  return table.concat(lines, "/")
end
