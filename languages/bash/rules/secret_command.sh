gpg --export-secret-keys # expect: bash-secret-command
sha256sum notes.txt # ok
