# profile: strict
grep x notes.txt # ok
echo x > out.txt # expect: bash-file-command
