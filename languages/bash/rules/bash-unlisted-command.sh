ls # ok
factor 12 # ok
logname # expect: bash-unlisted-command
