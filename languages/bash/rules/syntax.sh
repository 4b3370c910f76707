echo fine # ok
if true; then # ok
  echo unfinished # ok
# expect-next: bash-syntax
fi fi
