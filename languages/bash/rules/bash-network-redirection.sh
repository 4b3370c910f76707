exec 3<> /dev/tcp/127.0.0.1/9 # expect: bash-network-redirection
exec 4> out.txt # ok
