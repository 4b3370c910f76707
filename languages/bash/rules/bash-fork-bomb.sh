:(){ :|:& };: # expect: bash-fork-bomb # expect: bash-shadowed-command
walk() { walk "$1/x"; } # ok
