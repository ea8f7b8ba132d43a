#!/bin/sh
# Writes more on standard error than a pipe holds before it goes on, and without end while it plays.
. ./army.sh
lay_out
head -c 200000 /dev/zero | tr '\0' x >&2
yes 'thinking about it' >&2 &
pace
