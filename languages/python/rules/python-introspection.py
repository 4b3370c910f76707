globals()["x"]  # expect: python-introspection
locals()  # expect: python-introspection
vars(object)  # expect: python-introspection
import sys, operator, string
sys.modules["os"]  # expect: python-introspection
sys._getframe()  # expect: python-introspection
__builtins__  # expect: python-introspection
operator.itemgetter(1)  # ok
string.Formatter()  # expect: python-introspection
import argparse
args = argparse.ArgumentParser().parse_args()
print(vars(args))  # ok
vars = [1, 2]  # ok
vars[0]  # ok
sys.argv, sys.stdin, sys.exit, sys.maxsize  # ok
