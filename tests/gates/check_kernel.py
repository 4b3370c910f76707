#!/usr/bin/env python3
"""Gate: raw system calls stand in runtime/kernel/ alone.

Raw is a call by number (::syscall), and a call about processes, namespaces, mounts, identity or confinement that has no
typed door yet. The list below is of what stands elsewhere today: it may only shrink, so a file that has fewer than it
says is a fault too. check_kernel.py --list prints it anew."""
import pathlib
import re
import sys

HOME = "runtime/kernel/"
RAW = re.compile(r"(?<![\w.>])::(syscall|prctl|setns|unshare|mount|umount2?|pivot_root|chroot|clone3?|fork|vfork|execv\w*|"
                 r"ptrace|ioctl|capset|capget|close_range|openat2|setres[ug]id|setgroups|setxattr|"
                 r"process_vm_\w+|sched_set\w+|setrlimit|prlimit64?|sethostname|setdomainname)\(")

ALLOWED = {
    "runtime/cgroup/cgroup.cc": 1,
    "runtime/confine/host.cc": 2,
    "runtime/confine/identity.cc": 3,
    "runtime/confine/no_new_privs.cc": 2,
    "runtime/confine/scheduling.cc": 1,
    "runtime/confine/seccomp_load.cc": 1,
    "runtime/egress/proxy.cc": 7,
    "runtime/execute/light_init.cc": 2,
    "runtime/execute/maximum.cc": 3,
    "runtime/execute/streams.cc": 3,
    "runtime/explain/observer.cc": 1,
    "runtime/explain/tracer.cc": 1,
    "runtime/explain/wanted.cc": 1,
    "runtime/guard/pin.cc": 2,
    "runtime/host/net_devices.cc": 1,
    "runtime/isolate/console.cc": 4,
    "runtime/isolate/join.cc": 1,
    "runtime/isolate/kernel_settings.cc": 3,
    "runtime/isolate/namespaces.cc": 6,
    "runtime/isolate/rootfs.cc": 2,
    "runtime/launch/init.cc": 1,
    "runtime/launch/last_steps.cc": 1,
    "runtime/launch/reaper.cc": 2,
    "runtime/launch/room_for_files.cc": 2,
    "runtime/launch/self_protection.cc": 3,
    "runtime/launch/stage.cc": 1,
    "runtime/plan/namespaces.cc": 1,
    "runtime/verbs/supervise.cc": 2,
}


def calls_in(path):
    text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
    return [(text.count("\n", 0, match.start()) + 1, match.group(1)) for match in RAW.finditer(text)]


def found():
    calls = {}
    for folder in ("runtime", "cmd", "oci", "languages"):
        for path in sorted(pathlib.Path(folder).rglob("*.[ch]*")):
            if path.suffix in (".cc", ".h") and not str(path).startswith(HOME) and calls_in(path):
                calls[str(path)] = calls_in(path)
    return calls


def main():
    calls = found()
    if "--list" in sys.argv:
        for path, places in calls.items():
            print(f'    "{path}": {len(places)},')
        return 0
    faults = 0
    for path in sorted({*calls, *ALLOWED}):
        places, allowed = calls.get(path, []), ALLOWED.get(path, 0)
        if len(places) > allowed:
            for line, name in places:
                print(f"{path}:{line}: raw {name} outside {HOME}: {len(places)}, at most {allowed}")
        elif len(places) < allowed:
            print(f"{path}:1: {len(places)} raw calls where the list of check_kernel.py says {allowed}: lower it")
        faults += len(places) != allowed
    print(f"kernel: {sum(map(len, calls.values()))} raw calls outside {HOME} in {len(calls)} files, {faults} files against the list")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
