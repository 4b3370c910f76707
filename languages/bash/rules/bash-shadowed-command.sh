sort() { echo "$1"; } # expect: bash-shadowed-command
sort_names() { sort names.txt; } # ok
