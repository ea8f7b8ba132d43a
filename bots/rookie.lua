-- Rookie: a random set-up and random moves. The smallest bot; every other one should beat it.
local bot = {
  api = 1, title = "Rookie",
  about = "moves at random: to learn the rules",
}

function bot.setup(view)
  return view:random_setup()
end

function bot.move(view)
  local moves = view:moves()
  return moves[view:random(#moves)]
end

return bot
