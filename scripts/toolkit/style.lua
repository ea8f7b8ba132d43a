-- style(view, learned): one of the styles of what was learned, drawn by their shares, so that the
-- enemy cannot know which; what has no styles is its own only one. Before the set-up it draws from
-- all; once an army stands, from those that lay it out like that, if there are any: a style plays
-- its own set-ups best, and an army may stand already when a bot begins.
local mirrored = require "toolkit.mirrored"

-- The army as it stands, as a set-up's text; nil while there is none.
local function standing(view)
  if #view:mine() == 0 then return nil end
  local files, rows = view:files(), {}
  for rank = view:zone_ranks(), 1, -1 do
    local letters = {}
    for column = 1, files do
      local square = view:side() == "blue"
        and view:square(files + 1 - column, view:ranks() + 1 - rank) or view:square(column, rank)
      local piece = view:at(square)
      letters[column] = piece and view:is_mine(piece) and view:letter(view:kind(piece)) or "."
    end
    rows[#rows + 1] = table.concat(letters)
  end
  return table.concat(rows, "/")
end

-- Those of the styles that have the set-up, or its mirror image.
local function laying_out(styles, setup)
  local list, other = {}, mirrored(setup)
  for _, style in ipairs(styles) do
    for _, text in ipairs(style.setups or {}) do
      if text == setup or text == other then
        list[#list + 1] = style
        break
      end
    end
  end
  return list
end

local function draw(view, styles)
  local whole = 0
  for _, style in ipairs(styles) do whole = whole + style.share end
  local drawn = view:random() * whole
  for _, style in ipairs(styles) do
    drawn = drawn - style.share
    if drawn < 0 then return style end
  end
  return styles[#styles]
end

return function(view, learned)
  if not (learned and learned.styles) then return learned end
  local setup = standing(view)
  local fitting = setup and laying_out(learned.styles, setup) or {}
  return draw(view, #fitting > 0 and fitting or learned.styles)
end
