rm tmp.txt # ok
rm -rf build # ok
rm -rf / # expect: bash-delete-root
rm -rf "$HOME" # expect: bash-delete-root
rm -fr /* # expect: bash-delete-root
