# profile: strict
import functools
f = functools.partial(print)
f.func  # expect: python-blocked-attribute
f.args  # ok
