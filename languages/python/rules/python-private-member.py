import asyncio, shutil, functools
from collections import namedtuple
asyncio.new_event_loop()._ssock  # expect: python-private-member
shutil._rmtree_unsafe(target, print)  # expect: python-private-member
functools._c3_merge  # expect: python-private-member
class A:
    def __init__(self):
        self._x = 1  # ok
a = A()
print(a._x)  # ok
namedtuple("P", "x")(1)._replace(x=2)  # ok
