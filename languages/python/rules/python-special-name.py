().__class__.__base__  # expect: python-special-name
(lambda: 0).__globals__  # expect: python-special-name
print.__self__  # expect: python-special-name
d["__globals__"]  # expect: python-special-name
match x:
    case object(__globals__=g):  # expect: python-special-name
        pass
    case Point(x=1, y=2):  # ok
        pass
class M(type):
    def __instancecheck__(s, o): return True  # expect: python-special-name
class A:
    __match_args__ = ("__globals__",)  # expect: python-special-name
    __slots__ = ("x",)  # ok
    __repr__ = None  # ok
    def __init__(self, **kw):
        super().__init__()  # ok
        self.__dict__.update(kw)  # ok
        print(self.__class__.__name__)  # ok
    def __setattr__(self, n, v): super().__setattr__(n, v)  # ok
    def f(self): return self.__dict__  # ok
    def g(self, o): return o.__dict__  # expect: python-special-name
class B:
    __match_args__ = ("x", "y")  # ok
__author__ = "me"  # ok
if __name__ == "__main__":  # ok
    print(__file__, __doc__)  # ok
object.__getattribute__  # expect: python-special-name
