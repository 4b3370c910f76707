enable -f ./x.so x # expect: bash-native-code
enable -n echo # ok
