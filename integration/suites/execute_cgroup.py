"""langsbx execute where its cgroup can't be made: nothing is run, or, where nobody may make one, the limits are held without."""
import errno
import json
import os
import subprocess

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


@only("langsbx")
@needs("root", "v1", "controller:memory", "controller:pids")
def test_what_is_still_inhabited_is_swept_later(it):
    """A run was killed, and one of its processes is slow to die: its cgroups go once that has."""
    dead = subprocess.Popen(["true"])
    dead.wait()
    name = f"langsbx-execute-{dead.pid}-it"
    tops = {os.path.realpath(f"{ROOT}/{kind}") for kind in ("cpu", "cpuacct", "memory", "pids", "devices") if os.path.isdir(f"{ROOT}/{kind}")}
    for top in tops:
        os.mkdir(f"{top}/{name}")
    slow_one = it.background(["sleep", "100"])
    with open(f"{ROOT}/memory/{name}/cgroup.procs", "w", encoding="ascii") as handle:
        handle.write(str(slow_one.pid))
    code = f"{it.folder}/main.sh"
    with open(code, "w", encoding="utf-8") as handle:
        handle.write("echo hi\n")

    def left():
        it.rt("execute", code).ok()
        return [top for top in tops if os.path.exists(f"{top}/{name}")]

    try:
        expect(f"{ROOT}/memory" in left(), "an inhabited cgroup is gone")
        slow_one.kill()
        slow_one.wait()
        equal(left(), [])
    finally:
        for top in tops:
            if os.path.exists(f"{top}/{name}"):
                os.rmdir(f"{top}/{name}")
