#!/bin/sh
[ -f x ] && echo yes # ok
[[ -f x && -d y ]] # expect: bash-shell-dialect
