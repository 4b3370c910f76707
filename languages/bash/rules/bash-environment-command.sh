env # expect: bash-environment-command
printenv HOME # expect: bash-environment-command
echo "$USER" # ok
