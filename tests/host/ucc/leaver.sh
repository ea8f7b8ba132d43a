#!/bin/sh
# Leaves by itself before its first move.
. ./army.sh
lay_out
echo 'I have seen enough' >&2
