greet() { echo hello; } # ok
greet # ok
frobnicate --all # expect: bash-unknown-command
./tool # expect: bash-unknown-command
