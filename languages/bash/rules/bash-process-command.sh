bash -c 'echo hi' # expect: bash-process-command
python3 x.py # expect: bash-process-command
timeout 5 sort names.txt # ok
