n=3 # ok
echo $((n + 1)) # ok
x='a[$(id)]' # expect: bash-arithmetic-code
echo 'plain $(text)' # ok
