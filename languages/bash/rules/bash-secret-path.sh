cat /etc/shadow # expect: bash-secret-path # expect: bash-path-outside
cat ~/.ssh/id_rsa # expect: bash-secret-path # expect: bash-path-outside
cat shadow.txt # ok
