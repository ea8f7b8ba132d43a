-- Commodore: admiral without looking ahead. It takes a twentieth of a millisecond a move.
return require "toolkit.admiral" {
  title = "Commodore", level = "expert", fuel = 0,
  about = "weighs all it knows of you, but does not look ahead",
}
