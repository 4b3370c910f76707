#!/bin/sh
[ -f x ] && echo yes # ok
[[ -f x && -d y ]] # expect: bash-shell-dialect
echo "$'" '$[' "$[1]" # ok
echo $'a\' b' # expect: bash-shell-dialect
