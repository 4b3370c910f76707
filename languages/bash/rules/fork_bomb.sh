:(){ :|:& };: # expect: bash-fork-bomb
walk() { echo "$1"; } # ok
