-- Commander: commodore with a little of chance, and most set-ups by rule of thumb.
return require "toolkit.admiral" {
  title = "Commander", level = "hard", chance = 0.06, setups = 0.3,
  about = "makes only small mistakes",
}
