-- worth(view): the cost of losing a piece of each kind, as a table from kind to number.
-- It uses the rules alone, so that it fits any variant: a kind is worth more the more of an army it
-- beats, with a bonus for rare skills.

-- How many mobile and immobile pieces of a full army `kind` beats as attacker; ties count half, and
-- battles that depend on the position.
local function count_beaten(view, kind)
  local mobile, still = 0, 0
  for _, other in ipairs(view:kinds()) do
    local outcome = view:outcome(kind, other)
    local part = outcome == "attacker" and 1 or outcome == "defender" and 0 or 0.5
    if view:mobile(other) then
      mobile = mobile + part * view:army(other)
    elseif not view:is_flag(other) then
      still = still + part * view:army(other)
    end
  end
  return mobile, still
end

return function(view)
  local worth = {}
  local mobile_army, strongest = 0, nil
  for _, kind in ipairs(view:kinds()) do
    if view:mobile(kind) then
      mobile_army = mobile_army + view:army(kind)
      if not strongest or view:strength(kind) > view:strength(strongest) then strongest = kind end
    end
  end
  for _, kind in ipairs(view:kinds()) do
    if view:is_flag(kind) then
      worth[kind] = 30
    elseif not view:mobile(kind) then
      worth[kind] = 1.5
    else
      local mobile, still = count_beaten(view, kind)
      local part = mobile / mobile_army
      worth[kind] = 1 + 9 * part * part
      if still > 0 then worth[kind] = worth[kind] + 1.5 end
      if part < 0.5 and view:outcome(kind, strongest) == "attacker" then
        worth[kind] = worth[kind] + 2
      end
      if #view:abilities(kind) > 0 then worth[kind] = worth[kind] + 3 end
    end
  end
  return worth
end
