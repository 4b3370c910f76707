cat notes.txt # ok
cat /etc/hostname # expect: bash-path-outside
echo x > /usr/local/y # expect: bash-path-outside
echo x > /dev/null # ok
cp ../secret here # expect: bash-path-outside
echo /etc/passwd # ok
