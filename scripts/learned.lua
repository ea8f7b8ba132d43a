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
  lattaque = "learned.lattaque",
  lightning = "learned.lightning",
  jungle = "learned.jungle",
  luzhanqi = "learned.luzhanqi",
  original = "learned.original",
  quick = "learned.quick",
  salpakan = "learned.salpakan",
}
local like_original = { classic = true, ["milton-bradley"] = true, russian = true }

-- The same with set-ups in the letters of the view's variant.
local function in_letters_of(view, learned)
  local letters = {}
  for kind, piece in pairs(standard) do letters[piece.letter] = view:letter(kind) end
  local function rewritten(part)
    local copy = {}
    for key, value in pairs(part) do copy[key] = value end
    if part.setups then
      copy.setups = {}
      for i, setup in ipairs(part.setups) do copy.setups[i] = (setup:gsub("%w", letters)) end
    end
    if part.styles then
      copy.styles = {}
      for i, style_part in ipairs(part.styles) do copy.styles[i] = rewritten(style_part) end
    end
    return copy
  end
  return rewritten(learned)
end

return function(view)
  local variant = view:variant()
  if like_original[variant] then
    return style(view, in_letters_of(view, require "learned.original"))
  end
  return files[variant] and style(view, require(files[variant]))
end
