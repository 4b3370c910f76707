import os
os.kill(1, 9)  # expect: python-blocked-function
os.setuid(0)  # expect: python-blocked-function
from os import chroot  # expect: python-blocked-function
os.getcwd()  # ok
os.cpu_count()  # ok
