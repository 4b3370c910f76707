eval 'echo hi' # expect: bash-dynamic-code
mapfile -C 'echo' -c 1 lines # expect: bash-dynamic-code
mapfile -t lines < names.txt # ok
