#!/bin/sh
# Dies of a signal at its first move, with last words that would upset a terminal.
. ./army.sh
lay_out
await_turn
echo 'far from the end' >&2
printf 'assertion failed:\033[31m board is NULL\r\nno more\n' >&2
kill -SEGV $$
