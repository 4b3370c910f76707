"""langsbx execute where its cgroup can't be made: nothing is run, or, where nobody may make one, the limits are held without."""
import errno
import json
import os

from harness.case import contains, each, equal, expect, needs, only

ROOT = "/sys/fs/cgroup"


def without_mkdir(it, number, *options):
    """execute where no cgroup can be made: that fails with this number, other directories are made as ever."""
    code = f"{it.folder}/main.py"
    with open(code, "w", encoding="utf-8") as handle:
        handle.write("print('hi')\n")
    os.makedirs(it.rt.root, exist_ok=True)
    faults = f"inject=mkdir,mkdirat:error={errno.errorcode[number]}"
    strace = ["strace", "-f", "-qq", "-o", f"{it.folder}/strace", "-P", ROOT, "-e", "trace=mkdir,mkdirat", "-e", faults]
    result = it.rt(argv=[*strace, *it.rt.argv("execute", "--json", *options, code)])
    with open(f"{it.folder}/strace", encoding="utf-8") as handle:
        contains(handle.read(), "INJECTED")
    return result


@only("langsbx")
@needs("root", "controller:memory", "controller:pids", "program:strace")
@each(ENOSPC=errno.ENOSPC, ENOMEM=errno.ENOMEM, EBUSY=errno.EBUSY)
def test_cgroup_that_fails_stops_the_run(it, number):
    result = without_mkdir(it, number)
    equal((result.code, result.out), (125, ""), result.text)
    result.fails("cgroup", os.strerror(number).lower())


@only("langsbx")
@needs("root", "controller:memory", "controller:pids", "program:strace")
@each(EROFS=errno.EROFS, EACCES=errno.EACCES, EPERM=errno.EPERM)
def test_host_that_gives_no_cgroup(it, number):
    made = json.loads(without_mkdir(it, number, "--memory", "64M").ok().out)
    equal((made["status"], made["stdout"]), ("completed", "hi\n"))
    expect(made["enforced"]["cgroup"].startswith("none: "), made["enforced"]["cgroup"])
    expect(any("no cgroup" in warning for warning in made["warnings"]), made["warnings"])
    result = without_mkdir(it, number, "--cpus", "0.5")
    equal(result.code, 125, result.text)
    result.fails("--cpus", "cgroup")
