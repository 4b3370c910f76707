kill -9 1 # expect: bash-signal-command
timeout 5 sort names.txt # ok
