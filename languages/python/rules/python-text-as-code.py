import doctest, timeit
from timeit import timeit as t
def f():
    """
    >>> f()
    1
    """
def g():  # the docstring below
    """>>> eval("1")"""  # expect: python-text-as-code
timeit.timeit("f()", setup="from __main__ import f", globals=globals())  # ok
t("f(10)", number=1)  # ok
t("__import__('os').system('id')")  # expect: python-text-as-code
setup = "from __main__ import f"
t("f()", setup=setup)  # ok
for name in ("f", "g"): t(f"{name}(1)")  # ok
t(f"f({code})")  # expect: python-text-as-code
t(code)  # expect: python-text-as-code
t(f)  # ok
t(lambda: f())  # ok
f.__doc__ = code  # expect: python-text-as-code
doctest.testmod()  # ok
