curl -s https://example.org # expect: bash-network-command
nc -z localhost 80 # expect: bash-network-command
echo curl # ok
