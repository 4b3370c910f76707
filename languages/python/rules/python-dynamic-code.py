eval("1+1")  # expect: python-dynamic-code
e = eval  # expect: python-dynamic-code
for f in [exec]: f("x")  # expect: python-dynamic-code
@exec  # expect: python-dynamic-code
def g(): pass
__import__(name)  # expect: python-dynamic-code
__import__("math").sqrt(2)  # ok
compile("1", "x", "eval")  # expect: python-dynamic-code
x: eval = 1  # expect: python-dynamic-code
def h(x: eval = 1): pass  # expect: python-dynamic-code
breakpoint()  # expect: python-dynamic-code
print(f"{eval('1')}")  # expect: python-dynamic-code
f"{1:{eval('2')}}"  # expect: python-dynamic-code
import sys, re, ast, types, typing
sys.path.append("x")  # expect: python-dynamic-code
re.compile("x")  # ok
ast.literal_eval("1")  # ok
types.FunctionType  # expect: python-dynamic-code
typing.get_type_hints(f)  # expect: python-dynamic-code
def evaluate(compile=True): return evaluate(compile=False)  # ok
model = re.match("a", "a")
model.eval()  # ok: nothing to evaluate
model.eval("1")  # expect: python-dynamic-code
text = "eval(x)"  # ok
g(help="x")  # ok
model.help("x")  # ok
help("os")  # expect: python-dynamic-code
help()  # expect: python-dynamic-code
