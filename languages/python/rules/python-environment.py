import os
print(os.environ)  # expect: python-environment
os.environ["HOME"]  # ok
os.environ.get("DEBUG", "0")  # ok
os.getenv("DEBUG")  # ok
os.getenv(name)  # expect: python-environment
os.environ["AWS_SECRET_ACCESS_KEY"]  # expect: python-environment
for k in os.environ.items(): pass  # expect: python-environment
if "DEBUG" in os.environ: pass  # ok
from os import environ
dict(environ)  # expect: python-environment
environ["X"] = "1"  # ok
