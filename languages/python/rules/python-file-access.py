# profile: minimal
open("x")  # expect: python-file-access
open("x", "w")  # expect: python-file-access
f = open  # ok: judged where it is used
f("x")  # expect: python-file-access
p.unlink()  # expect: python-file-access
p.write_text("x")  # expect: python-file-access
print("x")  # ok
