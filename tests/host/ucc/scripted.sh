#!/bin/sh
# scripted.sh LOG ANSWER...: gives these answers, one a turn, and writes down all that it reads.
log=$1
shift
listen() {
  IFS= read -r line || exit 0
  printf '%s\n' "$line" >>"$log"
  case $line in QUIT*) exit 0 ;; esac
}

listen
case $line in
  RED*) printf 'FB8sB479B8\nBB31555583\n6724898974\n967B669999\n' ;;
  *) printf '967B669999\n6724898974\nBB31555583\nFB8sB479B8\n' ;;
esac
for answer; do
  listen
  for row in 0 1 2 3 4 5 6 7 8 9; do listen; done
  printf '%s\n' "$answer"
  listen
done
while listen; do :; done
