type("A", (), {})  # expect: python-class-from-text
t = type  # expect: python-class-from-text
type(1)  # ok
isinstance(x, type)  # ok
class M(type): pass  # ok
def f(x: type) -> type: return type(x)  # ok
parser.add_argument("-n", type=int)  # ok
