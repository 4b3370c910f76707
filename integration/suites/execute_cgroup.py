"""langsbx execute where its cgroup can't be made: nothing is run, or, where nobody may make one, the limits are held without."""
import errno
import json
import os

from harness.case import each, equal, expect, needs, only

# mkdir(2) (mkdirat where there is none), by which cgroups are made, fails with the errno of the first argument; the rest is a command line.
MKDIR_FAILS = """import ctypes, os, struct, sys
MKDIR = 83 if os.uname().machine == "x86_64" else 34
code = [(0x20, 0, 0, 0), (0x15, 0, 1, MKDIR), (0x06, 0, 0, 0x50000 | int(sys.argv[1])), (0x06, 0, 0, 0x7fff0000)]
text = b"".join(struct.pack("HBBI", *step) for step in code)
filter_ = ctypes.create_string_buffer(text, len(text))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, struct.pack("HP", len(code), ctypes.addressof(filter_)), 0, 0) == 0
os.execv(sys.argv[2], sys.argv[2:])
"""


def without_mkdir(it, number, *options):
    code = f"{it.folder}/main.py"
    with open(code, "w", encoding="utf-8") as handle:
        handle.write("print('hi')\n")
    os.makedirs(it.rt.root, exist_ok=True)
    return it.rt(argv=["/usr/bin/python3", "-I", "-c", MKDIR_FAILS, str(int(number)), *it.rt.argv("execute", "--json", *options, code)])


@only("langsbx")
@needs("root", "controller:memory", "controller:pids")
@each(ENOSPC=errno.ENOSPC, ENOMEM=errno.ENOMEM, EBUSY=errno.EBUSY)
def test_cgroup_that_fails_stops_the_run(it, number):
    result = without_mkdir(it, number)
    equal((result.code, result.out), (125, ""), result.text)
    result.fails("cgroup", os.strerror(number).lower())


@only("langsbx")
@needs("root", "controller:memory", "controller:pids")
@each(EROFS=errno.EROFS, EACCES=errno.EACCES, EPERM=errno.EPERM)
def test_host_that_gives_no_cgroup(it, number):
    made = json.loads(without_mkdir(it, number, "--memory", "64M").ok().out)
    equal((made["status"], made["stdout"]), ("completed", "hi\n"))
    expect(made["enforced"]["cgroup"].startswith("none: "), made["enforced"]["cgroup"])
    expect(any("no cgroup" in warning for warning in made["warnings"]), made["warnings"])
    result = without_mkdir(it, number, "--cpus", "0.5")
    equal(result.code, 125, result.text)
    result.fails("--cpus", "cgroup")
