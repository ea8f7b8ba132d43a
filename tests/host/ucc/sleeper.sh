#!/bin/sh
# sleeper.sh setup|move|stop: is silent for ever when it is asked for that.
. ./army.sh
[ "$1" = setup ] && exec sleep 1000
lay_out
await_turn
echo 'hm' >&2
[ "$1" = stop ] && kill -STOP $$
sleep 1000
