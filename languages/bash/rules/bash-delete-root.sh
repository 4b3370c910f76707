rm tmp.txt # ok
rm -rf build # ok
rm -rf / # expect: bash-delete-root # expect: bash-path-outside
rm -rf "$HOME" # expect: bash-delete-root # expect: bash-path-outside
rm -fr /* # expect: bash-delete-root # expect: bash-path-outside
