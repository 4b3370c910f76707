echo x > /dev/sda # expect: bash-device-write
dd if=image of=/dev/nvme0n1 # expect: bash-device-write
echo x > /dev/stderr # ok
