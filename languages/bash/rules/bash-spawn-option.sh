awk '{ print $1 }' names.txt # ok
awk 'BEGIN { system("id") }' # expect: bash-spawn-option
sed 's/a/b/e' names.txt # expect: bash-spawn-option
sed 's/a/b/g' names.txt # ok
tar cf a.tar --checkpoint=1 --checkpoint-action=exec=sh dir # expect: bash-spawn-option
