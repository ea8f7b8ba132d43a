-- Every effect there is, at turns of its own, on pieces that the ply chooses.
local function pick(position, side, salt)
  local list = position:squares(side)
  return list[(position:plies() * 7 + salt) % #list + 1]
end
return {
  api = 1, extends = "duel", title = "Upheaval",
  calls = {
    after_move = function(position, move)
      local other = move.side == "red" and "blue" or "red"
      local effects = {}
      local a, b = pick(position, move.side, 3), pick(position, other, 5)
      if position:plies() % 3 == 0 then effects[#effects + 1] = { swap = a, with = b } end
      if position:plies() % 5 == 0 then effects[#effects + 1] = { reveal = a } end
      if position:plies() % 7 == 0 then
        for _, kind in ipairs { "scout", "miner", "marshal" } do
          if position:returnable(other, kind) > 0 then
            for _, at in ipairs(position:board():squares()) do
              if not position:kind_at(at) and at ~= a and at ~= b then
                effects[#effects + 1] = { place = kind, at = at, side = other }
                return effects
              end
            end
          end
        end
      end
      if position:plies() % 11 == 0 and position:kind_at(b) ~= "flag" and #effects == 0 then
        effects[#effects + 1] = { remove = b }
      end
      if position:plies() % 13 == 0 and #effects == 0 then
        effects[#effects + 1] = { conceal = b }
      end
      return effects
    end,
    turn_start = function(position)
      local side = position:to_move()
      local a = pick(position, side, 1)
      local to = position:board():step(a, 0, 1)
      if position:plies() % 4 ~= 0 or not to then return nil end
      if position:board():is_lake(to) or position:kind_at(to) then return nil end
      return { swap = a, with = to }
    end,
  },
}
