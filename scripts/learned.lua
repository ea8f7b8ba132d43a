-- learned(view): what `ensign learn` has learned of the view's variant, or nil. Variants with the
-- same army on the same board share a file.
local files = {
  barrage = "learned.barrage",
  classic = "learned.original",
  duel = "learned.duel",
  galaxy = "learned.galaxy",
  ["galaxy-duel"] = "learned.galaxy_duel",
  infiltrator = "learned.infiltrator",
  lightning = "learned.lightning",
  ["milton-bradley"] = "learned.original",
  original = "learned.original",
  quick = "learned.quick",
  russian = "learned.original",
}

return function(view)
  local file = files[view:variant()]
  return file and require(file)
end
