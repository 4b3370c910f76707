echo fine # ok
echo "${ no }" # expect: bash-syntax
