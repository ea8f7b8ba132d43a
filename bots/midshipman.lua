-- Midshipman: commodore with much of chance, and set-ups by rule of thumb.
return require "toolkit.admiral" {
  title = "Midshipman", level = "easy", chance = 0.5, setups = 0,
  about = "sees what is plain, and misjudges the rest",
}
