-- mixture.lua - the styles of several tables that `ensign learn --table` has written become one
-- table. Each TABLE has the same share, dealt to its styles as it was; named twice, twice as much.
--
--   lua5.4 tests/bench/mixture.lua OUT TABLE ...
--
-- OUT goes to `ensign learn --repertoire`, which finds the set-ups that the styles should share.
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local styles = require "styles"

local function fail(code, text)
  io.stderr:write(text, "\n")
  os.exit(code)
end

if not arg[2] then fail(2, "usage: lua5.4 mixture.lua OUT TABLE ...") end

local times, tables = {}, {} -- each table's, in the order of their first
for i = 2, #arg do
  if not times[arg[i]] then tables[#tables + 1] = arg[i] end
  times[arg[i]] = (times[arg[i]] or 0) + 1
end

local mixture, learned = {}, 0
for _, path in ipairs(tables) do
  local list, games = styles.read(path)
  if not list then fail(1, games) end
  for _, style in ipairs(list) do
    mixture[#mixture + 1] = { share = style.share * times[path] / (#arg - 1), text = style.text }
  end
  learned = math.max(learned, games)
end
local title = ("%d styles of %d tables (tests/bench/mixture.lua)."):format(#mixture, #tables)
local written, why = styles.write(arg[1], title, mixture, learned)
if not written then fail(1, why) end
