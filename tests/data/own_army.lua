-- A bot for duel that breaks as soon as it plays with an army that it did not lay out.
local bot = { api = 1, title = "Own army" }

local LAID = "......M.../..9......./.2...S..2./3...3..BFB"

function bot.setup()
  return LAID
end

-- The letter that was laid on a square, as the owner sees the lines: the front rank first.
local function laid_on(view, lines, square)
  local rank, file = view:rank(square), view:file(square)
  if view:side() == "blue" then
    rank, file = view:ranks() + 1 - rank, view:files() + 1 - file
  end
  return lines[view:zone_ranks() + 1 - rank]:sub(file, file)
end

function bot.start(view)
  local lines = {}
  for line in LAID:gmatch("[^/]+") do lines[#lines + 1] = line end
  for _, piece in ipairs(view:mine()) do
    local square = view:where(piece)
    local expected, found = laid_on(view, lines, square), view:letter(view:kind(piece))
    if expected ~= found then
      error("laid " .. expected .. ", found " .. found .. " on square " .. square)
    end
  end
end

function bot.move(view)
  return view:moves()[1]
end

return bot
