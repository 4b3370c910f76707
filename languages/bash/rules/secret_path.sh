cat /etc/shadow # expect: bash-secret-path
cat ~/.ssh/id_rsa # expect: bash-secret-path
cat shadow.txt # ok
