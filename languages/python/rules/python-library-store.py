import timeit, json, sys
timeit.reindent = lambda source, indent: "x"  # expect: python-library-store
a, json.loads = 1, print  # expect: python-library-store
sys.stdout = None  # ok
b = json.loads  # ok
if json.loads == b: pass  # ok
