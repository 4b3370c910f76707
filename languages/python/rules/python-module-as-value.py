import os
import sys
o = os  # ok: an alias is followed
o.system("id")  # expect: python-process
for m in [os, sys]:  # expect: python-module-as-value
    print(m)
def f(m=os):  # expect: python-module-as-value
    return m
print(os.path)  # ok
del sys  # ok
