-- Lieutenant: commodore with some chance, and set-ups by rule of thumb.
return require "toolkit.admiral" {
  title = "Lieutenant", level = "medium", chance = 0.18, setups = 0,
  about = "plays sensibly, and slips now and then",
}
