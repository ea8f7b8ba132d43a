-- The twelve pieces of nearly all games of the family. The ranks decide a battle, except for:
--   beats      as attacker it beats these
--   loses_to   as defender it falls to these attackers
--   repels     as defender it beats these attackers
return {
  flag       = { letter = "F", moves = "none", flag = true, loses_to = "all" },
  bomb       = { letter = "B", moves = "none", repels = "all", loses_to = { "miner" } },
  spy        = { letter = "S", rank = 1, beats = { "marshal" } },
  scout      = { letter = "2", rank = 2, moves = "run" },
  miner      = { letter = "3", rank = 3 },
  sergeant   = { letter = "4", rank = 4 },
  lieutenant = { letter = "5", rank = 5 },
  captain    = { letter = "6", rank = 6 },
  major      = { letter = "7", rank = 7 },
  colonel    = { letter = "8", rank = 8 },
  general    = { letter = "9", rank = 9 },
  marshal    = { letter = "M", label = "10", rank = 10 },
}
