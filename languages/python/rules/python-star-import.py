from os import *  # expect: python-star-import
from math import *  # ok
