import random
import json
random._os.system("id")  # expect: python-leaked-module
from typing import sys as t  # expect: python-leaked-module
json.codecs.open("x")  # expect: python-leaked-module
def f(module):
    return module._os  # expect: python-leaked-module
class Host:
    def __init__(self):
        self.os = "linux"  # ok
        print(self.os)  # ok
random.random()  # ok
getattr(random, "_o" + "s")  # expect: python-leaked-module
import timeit
try:
    timeit.missing
except AttributeError as error:
    other = error
    other.obj  # expect: python-leaked-module
