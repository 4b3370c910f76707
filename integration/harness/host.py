"""Facts about the machine that decide which cases can run."""
import ctypes
import os
import shutil
import subprocess

CLONE_NEWNS = 0x20000
MS_REC, MS_PRIVATE, MS_BIND = 16384, 1 << 18, 4096
CAP_SYS_RESOURCE = 24
libc = ctypes.CDLL(None, use_errno=True)


def mount(source, target, fstype, flags, data=None):
    if libc.mount(source.encode(), target.encode(), fstype.encode() if fstype else None, flags,
                  data.encode() if data else None) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"mount {target}: {os.strerror(number)}")


def cgroup_mode():
    """v1, hybrid or v2."""
    if os.path.exists("/sys/fs/cgroup/cgroup.controllers"):
        return "v2"
    return "hybrid" if os.path.exists("/sys/fs/cgroup/unified/cgroup.controllers") else "v1"


def v1_view():
    """In this process's own mount namespace, hide the unified hierarchy: crun refuses hybrid ones."""
    names = [n for n in os.listdir("/sys/fs/cgroup") if n != "unified"]
    new = f"/run/langsbx-it-cgroups-{os.getpid()}"
    os.makedirs(new, exist_ok=True)
    mount("cgroups", new, "tmpfs", 0, "mode=755,size=64k")
    for name in names:
        source, target = f"/sys/fs/cgroup/{name}", f"{new}/{name}"
        if os.path.islink(source):
            os.symlink(os.readlink(source), target)
            continue
        os.mkdir(target)
        mount(source, target, None, MS_BIND)
    mount(new, "/sys/fs/cgroup", None, 8192)  # MS_MOVE
    os.rmdir(new)


def private_mounts():
    """Nothing that a case mounts may be seen outside, nor outlive the run."""
    if libc.unshare(CLONE_NEWNS) != 0:
        raise OSError(ctypes.get_errno(), "unshare(CLONE_NEWNS)")
    mount("none", "/", None, MS_REC | MS_PRIVATE)


def bounding_set():
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("CapBnd:"):
                return int(line.split()[1], 16)
    return 0


def controllers():
    if cgroup_mode() == "v2":
        with open("/sys/fs/cgroup/cgroup.controllers", encoding="ascii") as handle:
            return set(handle.read().split())
    found = set()
    for name in os.listdir("/sys/fs/cgroup"):
        found.update(name.split(","))
    return found - {"unified"}


def kernel():
    return tuple(int(n) for n in os.uname().release.split("-")[0].split(".")[:2])


def missing(fact):
    """None if the host has this fact, else why not."""
    name, _, value = fact.partition(":")
    checks = {
        "root": lambda: os.geteuid() == 0,
        "v1": lambda: cgroup_mode() in ("v1", "hybrid"),
        "v2": lambda: cgroup_mode() == "v2",
        "systemd": lambda: os.path.exists("/run/systemd/system"),
        "resource": lambda: bool(bounding_set() >> CAP_SYS_RESOURCE & 1),
        "controller": lambda: value in controllers(),
        "kernel": lambda: kernel() >= tuple(int(n) for n in value.split(".")),
        "path": lambda: os.path.exists(value),
        "program": lambda: shutil.which(value) is not None,
        "landlock": lambda: landlock_abi() >= int(value or 1),
        "machine": lambda: os.uname().machine == value,
        "cpus": lambda: len(os.sched_getaffinity(0)) >= int(value),
    }
    return None if checks[name]() else f"needs {fact}"


def landlock_abi():
    return max(libc.syscall(444, None, 0, 1), 0)


def compile_probe(source, into):
    """A static program for the inside of a container, built once per run."""
    target = os.path.join(into, os.path.basename(source)[:-2])
    if not os.path.exists(target):
        made = f"{target}.{os.getpid()}"
        subprocess.run(["gcc", "-O1", "-static", "-Wall", "-o", made, source, "-lpthread"], check=True,
                       capture_output=True)
        os.rename(made, target)
    return target
