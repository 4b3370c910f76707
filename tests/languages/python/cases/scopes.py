# Names whose scope is easily taken for another; compared with CPython's symtable.
import os as o, sys, os.path
from string import (digits, ascii_letters as letters)

a = b = (c) = 1
[d, *e], (f, g.h) = [1], (2, 3)
(a, b)[0] = (d).real = 1
x: int = 2
y: (x) = 3
z: x = lambda a=1, *b, c=lambda d=2: d, **e: (a, b, c, e, f)
del a, (b), o.path, e[0]


def outer(a, b=a, /, c: b = d, *args: a, e=lambda c: c, **kw) -> lambda a: a:
    global f
    f = a; g = [a for a in a if a for b in a if b]
    def inner():
        nonlocal a, g
        a, g = b, {g: g for g in g}
        c = lambda: (yield)
        return (a := [g for g in g]), [last := i for i in c], last
    class Inner(inner, metaclass=a):
        a = a
        b: a = a
        def method(self, a=a): return a, b, self, Inner
        c = [a for a in a for b in a]
        class Deeper:
            global b
            b = d = a
            def method(self): return b, d
    return inner, Inner, {**kw}, f"{(lambda a: a)(b)!r:>{c}} {[a for a in b]} {a:{b}}"


async def waits(k):
    async with k as (l, [m]), k as n.o, k as p[0]: pass
    async for q, (r, *s) in k: t = [u async for u in q if await u]
    with (k as v, k as w): pass
    try: pass
    except k as h: h = 1
    except (k, l): pass
    for l.a, m[l] in k: pass
    else: n: int
    while n: n -= 1
    import k.l, k.m as aa
    from .k import l as bb, m
    if (cc := k) and [dd := 1]: return lambda: cc
    try:
        def x(): y
    finally:
	    y = 1
    return y, [lambda k: k for k in k], lambda: k if l else m


if x:
    def under(): pass
elif y: under = 1; lambda under: under
class Bare: x = x; y: x
class Bare(Bare, *[Bare for x in x], key=lambda: Bare):
    """Text."""
    def __init__(self): x = self; return x
    @(lambda f: f)
    def decorated(
self, x
): return (
x)
    x = 2
@under
def last(x): return {x: x for x in x}, {x for x in x}, (x for x in x), last(y for y in x), x[lambda: x : y]


print(*a, **b, c=lambda c: c, d=[c for c in d])
