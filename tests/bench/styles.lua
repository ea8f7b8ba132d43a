-- styles.lua - reads and writes the styles of tables that `ensign learn --table` wrote, as text.
local styles = {}

-- The styles in a table, a list of { share = its part of 1, text = its lines without the share, as
-- they stand in a list of styles }; then the games that the table was learned in. Nil and why not.
function styles.read(path)
  local file <close>, why = io.open(path, "r")
  if not file then return nil, why end
  local text = file:read("a")
  -- Files that were joined by hand may name habits that all styles share once, before the table.
  local habits = text:match("\nlocal (habits = %b{})\n")
  if habits then
    habits = habits:gsub("\n", "\n      ")
    text = text:gsub("habits = habits", function() return habits end)
  end
  local list, games, whole = {}, tonumber(text:match("\n  games = (%d+),")), 0
  if text:find("\n  styles = {\n", 1, true) then
    for share, style in text:gmatch("\n    {\n      share = (%d+),\n(.-)\n    },") do
      list[#list + 1] = { share = tonumber(share), text = style }
    end
  else
    local style = text:match("\n  games = %d+,\n(.-)\n}%s*$")
    list[1] = style and { share = 1, text = style:gsub("([^\n]+)", "    %1") }
  end
  for _, style in ipairs(list) do whole = whole + style.share end
  if whole == 0 then return nil, path .. ": no table of `ensign learn --table`" end
  for _, style in ipairs(list) do style.share = style.share / whole end
  return list, games
end

-- The table of such a list, as Lua writes it.
function styles.table(list, games)
  local out = {}
  for i, style in ipairs(list) do
    out[i] = ("    {\n      share = %.0f,\n%s\n    },\n"):format(1000 * style.share, style.text)
  end
  return ("{\n  games = %d,\n  styles = {\n%s  },\n}"):format(games, table.concat(out))
end

-- Writes them as a file for --against and --repertoire, whose first line is the title; nil and why
-- not.
function styles.write(path, title, list, games)
  local file <close>, why = io.open(path, "w")
  if not file then return nil, why end
  return file:write(("-- %s\n" ..
    "-- Weights are in 1/4096 of a logit, habits in 1/256: see bots/LEARNING.md, " ..
    "\"What was learned\".\n" ..
    "return %s\n"):format(title, styles.table(list, games)))
end

return styles
