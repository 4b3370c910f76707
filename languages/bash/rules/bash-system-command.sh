mount /dev/sda1 mnt # expect: bash-system-command
useradd joe # expect: bash-system-command
echo mount # ok
