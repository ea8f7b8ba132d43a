#!/bin/sh
# hasty.sh ANSWER...: writes all its answers before it reads anything but its colour, and leaves.
. ./army.sh
lay_out
for answer; do echo "$answer"; done
