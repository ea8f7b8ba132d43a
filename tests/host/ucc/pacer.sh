#!/bin/sh
# Behaves.
. ./army.sh
lay_out
pace
