crontab jobs.txt # expect: bash-persistence
echo x >> ~/.bashrc # expect: bash-persistence # expect: bash-path-outside
echo crontab # ok
