-- Cadet: commodore with so much of chance that little but the rules is left, and set-ups by rule of
-- thumb.
return require "toolkit.admiral" {
  title = "Cadet", level = "beginner", chance = 1.6, setups = 0,
  about = "makes many mistakes: for your first games",
}
