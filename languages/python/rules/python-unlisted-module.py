# profile: minimal
import os  # expect: python-unlisted-module
import numpy  # expect: python-unlisted-module
import math  # ok
from collections import deque  # ok
import xml.etree.ElementTree  # expect: python-unlisted-module
