# Read by the other programs of this folder, from the folder itself.

# Reads the greeting and lays out the same army for either colour.
lay_out() {
  read -r colour opponent width height
  if [ "$colour" = RED ]; then
    printf 'FB8sB479B8\nBB31555583\n6724898974\n967B669999\n'
  else
    printf '967B669999\n6724898974\nBB31555583\nFB8sB479B8\n'
  fi
}

# Reads the status line and the board that come before a turn; leaves at the end of the game.
await_turn() {
  read -r status || exit 0
  case $status in QUIT*) exit 0 ;; esac
  for row in 0 1 2 3 4 5 6 7 8 9; do
    read -r line || exit 0
  done
}

# Moves a scout to and fro for ever.
pace() {
  if [ "$colour" = RED ]; then there='0 3 DOWN' back='0 4 UP'
  else there='0 6 UP' back='0 5 DOWN'; fi
  while await_turn; do
    echo "$there"
    read -r echo
    await_turn
    echo "$back"
    read -r echo
  done
}
