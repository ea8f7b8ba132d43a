#!/bin/sh
# cheat.sh short|letter|army: a set-up that is none.
read -r greeting
case $1 in
  short) printf 'FB8sB479B\n' ;;
  letter) printf 'FB8sB479B8\nBB3155x583\n' ;;
  army) printf 'FB8sB479B8\nBB31555583\n6724898974\n967B669991\n' ;;
esac
read -r status
