-- Sealord: admiral with ten times its fuel, some 50 milliseconds a move in `original`.
return require "toolkit.admiral" {
  title = "Sealord", level = "grandmaster", fuel = 3000000,
  about = "plays like admiral, but thinks ten times as long",
}
