#!/bin/sh
# Plays: attacks where it can, else walks, with a little chance.
. ./army.sh
lay_out
chance=$((${#opponent} + 7))

try() { # try DX DY WORD: notes the move if it is legal; attacks count more
  tx=$((x + $1)) ty=$((y + $2))
  [ $tx -ge 0 ] && [ $tx -le 9 ] && [ $ty -ge 0 ] && [ $ty -le 9 ] || return
  eval "target=\$c_${tx}_$ty"
  case $target in
    '#') attacks=$((attacks + 1)); chance=$(((chance * 1103 + 12345) % 32768))
         [ $((chance / 8 % attacks)) = 0 ] && attack="$x $y $3" ;;
    '.') walks=$((walks + 1)); chance=$(((chance * 1103 + 12345) % 32768))
         [ $((chance / 8 % walks)) = 0 ] && walk="$x $y $3" ;;
  esac
}

while read -r status; do
  case $status in QUIT*) exit 0 ;; esac
  for y in 0 1 2 3 4 5 6 7 8 9; do
    read -r row || exit 0
    for x in 0 1 2 3 4 5 6 7 8 9; do
      rest=${row#?}
      eval "c_${x}_$y=\${row%\"\$rest\"}"
      row=$rest
    done
  done
  attacks=0 walks=0 attack= walk=
  for y in 0 1 2 3 4 5 6 7 8 9; do
    for x in 0 1 2 3 4 5 6 7 8 9; do
      eval "piece=\$c_${x}_$y"
      case $piece in [1-9s]) ;; *) continue ;; esac
      try 0 1 DOWN
      try 0 -1 UP
      try -1 0 LEFT
      try 1 0 RIGHT
    done
  done
  echo "${attack:-$walk}"
  read -r echo
done
