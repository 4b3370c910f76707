PATH=.:$PATH # expect: bash-environment-hook
export LD_PRELOAD=x.so # expect: bash-environment-hook
IFS=, read -r a b # ok
export LANG=C # ok
