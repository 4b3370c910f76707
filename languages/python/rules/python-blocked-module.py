import subprocess  # expect: python-blocked-module
import socket as s, math  # expect: python-blocked-module
from urllib import request  # expect: python-blocked-module
from http.client import HTTPConnection  # expect: python-blocked-module
import ctypes.util  # expect: python-blocked-module
import urllib.parse  # ok
from concurrent.futures import ThreadPoolExecutor  # ok
from collections.abc import Iterable  # ok
if True: import resource  # expect: python-blocked-module
def f():
    import importlib; import json  # expect: python-blocked-module
    yield from f()  # ok
