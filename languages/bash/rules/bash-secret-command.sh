ssh-add key # expect: bash-secret-command
sha256sum notes.txt # ok
