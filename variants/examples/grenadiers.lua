-- A grenadier falls together with whatever it attacks, but for the flag, which it takes. When a
-- marshal falls, its side's flag is shown to the enemy for the rest of the game.
return {
  api = 1, extends = "duel",
  title = "Grenadiers",
  army = { grenadier = 2 },
  pieces = {
    grenadier = {
      letter = "G", rank = 1,
      -- A bomb repels "all": an exception that names it comes first.
      kills = { "bomb", "spy", "scout", "miner", "general", "marshal", "grenadier" },
      names = { en = "Grenadier", bg = "Гренадир", es = "Granadero", hr = "Grenadir",
                ru = "Гренадер", uk = "Гренадер" },
    },
  },
  fall_of = { marshal = { reveal = "flag" } },
  tests = {
    {
      title = "A grenadier falls with the marshal, and the enemy's flag is shown",
      position = { e4 = "rG", a1 = "r2", e5 = "bM", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "e4xe5", after = { e4 = false, e5 = false }, known = "f10", result = "none",
    },
    {
      title = "Attacked, it falls alone",
      position = { e4 = "r2", a1 = "r2", e5 = "bG", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "e4xe5", falls = "bG", after = { e5 = "r2" },
    },
    {
      title = "A bomb goes with it",
      position = { e4 = "rG", a1 = "r2", e5 = "bB", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "e4xe5", falls = "rG bB", known = "", result = "none",
    },
    {
      title = "It takes the flag",
      position = { e4 = "rG", a1 = "r2", e5 = "bF", f1 = "rF", j10 = "b2" },
      move = "e4xe5", falls = "bF", result = "red", reason = "flag",
    },
    {
      title = "The fall of any other piece shows nothing",
      position = { e4 = "rM", a1 = "r2", e5 = "b9", f1 = "rF", f10 = "bF", j10 = "b2" },
      move = "e4xe5", falls = "b9", known = "e5",
    },
  },
}
