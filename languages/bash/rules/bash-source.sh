files=$1 # ok
. "$files" # expect: bash-source
