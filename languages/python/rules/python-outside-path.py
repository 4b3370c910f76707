import os, shutil
from pathlib import Path
open("/etc/passwd")  # expect: python-outside-path
open("../secret")  # expect: python-outside-path
open("data.txt")  # ok
open("/dev/null", "w")  # ok
open(name)  # ok
p = "/etc/shadow"  # expect: python-outside-path
open(p)  # expect: python-outside-path
o = open
o("/etc/shadow")  # expect: python-outside-path
open(os.path.join("/etc", name))  # expect: python-outside-path
open(f"/etc/{name}")  # expect: python-outside-path
open(folder + "/x.txt")  # ok
Path("/root").read_text()  # expect: python-outside-path
Path.home()  # ok
Path.home() / ".ssh"  # expect: python-outside-path
Path.cwd()  # ok
shutil.copyfile(src="/etc/shadow", dst="x")  # expect: python-outside-path
logging.basicConfig(filename="/etc/x")  # expect: python-outside-path
open("%s/passwd" % "/etc")  # expect: python-outside-path
os.listdir("/")  # expect: python-outside-path
os.remove("tmp.txt")  # ok
os.path.expanduser("~")  # ok
os.path.expanduser("~root")  # expect: python-outside-path
config.read("/etc/passwd")  # expect: python-outside-path
shutil.rmtree("build")  # ok
shutil.rmtree("/")  # expect: python-outside-path
shutil.rmtree(name)  # expect: python-outside-path
