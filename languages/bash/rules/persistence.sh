crontab jobs.txt # expect: bash-persistence
echo x >> ~/.bashrc # expect: bash-persistence
echo crontab # ok
