#!/bin/sh
# flooder.sh line|lines|blanks: writes without end on standard output instead of a move.
. ./army.sh
lay_out
case $1 in
  line) exec tr '\0' x </dev/zero ;;
  lines) exec yes 'let me see' ;;
  blanks) exec yes '' ;;
esac
