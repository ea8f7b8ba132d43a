-- Admiral: values what is known, as it has learned to, and looks ahead on it. How: see
-- scripts/toolkit/admiral.lua; what it has learned: scripts/learned.
return require "toolkit.admiral" {
  title = "Admiral", level = "master",
  about = "has played many games, weighs all it knows of you, and looks ahead",
}
