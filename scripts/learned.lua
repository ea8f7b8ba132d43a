-- learned(view): what `ensign learn` has learned of the view's variant, or nil; if that are several
-- styles, one of them, drawn anew by each call (toolkit.style). Variants with the army of original
-- on its board share its file; their set-ups are in their own letters.
local standard = require "pieces.standard"
local style = require "toolkit.style"

local files = {
  barrage = "learned.barrage",
  duel = "learned.duel",
  galaxy = "learned.galaxy",
  ["galaxy-duel"] = "learned.galaxy_duel",
  infiltrator = "learned.infiltrator",
  lightning = "learned.lightning",
  original = "learned.original",
  quick = "learned.quick",
}
local like_original = { classic = true, ["milton-bradley"] = true, russian = true }

local function in_letters_of(view, learned)
  local letters, shared = {}, {}
  for kind, piece in pairs(standard) do letters[piece.letter] = view:letter(kind) end
  for key, value in pairs(learned) do shared[key] = value end
  shared.setups = {}
  for i, setup in ipairs(learned.setups) do shared.setups[i] = (setup:gsub("%w", letters)) end
  return shared
end

return function(view)
  local variant = view:variant()
  if like_original[variant] then
    return in_letters_of(view, style(view, require "learned.original"))
  end
  return files[variant] and style(view, require(files[variant]))
end
