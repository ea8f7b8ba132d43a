-- For tests/lib: knowledge that is kept in sets, where winners stay, are not shown, and falls show
-- others.
return {
  api = 1, extends = "duel",
  title = "Unseen archers",
  army = { scout = 3, archer = 2 },
  pieces = {
    archer = { letter = "A", rank = 5, advances = false },
    scout = { advances = false, kills = { "spy" } },
  },
  after_battle = function(_, _, outcome)
    return outcome == "attacker" and "silent" or "conceal"
  end,
  fall_of = { spy = { reveal = { "flag", "marshal" } }, miner = { reveal = "general" } },
}
