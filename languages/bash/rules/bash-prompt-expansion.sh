echo "${x@P}" # expect: bash-prompt-expansion
echo "${x@Q}" # ok
