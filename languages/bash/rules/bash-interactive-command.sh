vi notes.txt # expect: bash-interactive-command
less notes.txt # expect: bash-interactive-command
head notes.txt # ok
