x.gi_frame.f_builtins  # expect: python-frame-attribute
x.gi_yieldfrom  # expect: python-frame-attribute
tb.tb_frame  # expect: python-frame-attribute
int.mro()  # expect: python-frame-attribute
try:
    x.y
except AttributeError as error:
    error.obj  # expect: python-frame-attribute
    print(error.name)  # ok
node.obj  # ok
