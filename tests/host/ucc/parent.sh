#!/bin/sh
# parent.sh leave|stay: leaves a child behind that holds its pipes; then leaves too, or plays on.
. ./army.sh
lay_out
sleep 1000 &
sleep 1000 </dev/null &
[ "$1" = leave ] && exit 3
pace
