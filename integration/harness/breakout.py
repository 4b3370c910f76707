"""How the breakout kit is run, and which of its techniques may get through where."""
import json
import os

from .case import expect

PROFILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../seccomp-profiles")
DEFAULT_SET = ["CAP_AUDIT_WRITE", "CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID", "CAP_KILL", "CAP_MKNOD",
               "CAP_NET_BIND_SERVICE", "CAP_NET_RAW", "CAP_SETFCAP", "CAP_SETGID", "CAP_SETPCAP", "CAP_SETUID",
               "CAP_SYS_CHROOT"]
LEAST = 120  # techniques: fewer answers mean that the kit broke off


def prepare(it, kind, uid, made):
    """The kit in a bundle: "bare", with the "default" profile, or as a "guarded" program is confined."""
    made.caps(*DEFAULT_SET)
    made.process["user"] = {"uid": uid, "gid": uid}
    it.add_probe(made, "attack")
    if kind != "bare":
        name = "default" if kind == "default" else "python"
        with open(f"{PROFILES}/{name}.json", encoding="utf-8") as handle:
            made.linux["seccomp"] = json.load(handle)
    if kind == "guarded":
        made.process["noNewPrivileges"] = True
        made.config["annotations"] = {
            "io.langsbx.landlock.read": "/etc,/proc,/usr,/sys",
            "io.langsbx.landlock.write": "/tmp",
            "io.langsbx.landlock.execute": "/bin/attack",
            "io.langsbx.landlock.devices": "/dev/null",
        }
    return made


def rows_of(result):
    rows = {l.split(" ", 1)[0]: l.split(" ", 1)[1] for l in result.out.splitlines() if " " in l}
    expect(rows, f"the kit did not run: {result.text[-400:]}")
    return rows


def attack(it, kind, uid, made=None, only=None):
    made = prepare(it, kind, uid, made or it.bundle())
    rows = rows_of(it.run(made.args("attack", *([only] if only else []))))
    expect(only or len(rows) >= LEAST, f"the kit broke off after {len(rows)} techniques")
    return rows


# What may get through where. Nothing of it leaves the container by itself. It is one of these:
HOST_SETTINGS = {"kallsyms"}  # kptr_restrict and perf_event_paranoid of the host decide
# the container's own files, memory, processes and limits: no border is crossed, and ordinary images do it every day;
OWN_FILES = {"write_etc", "write_bin", "link_etc", "setuid_root"}  # root's, in its own root file system
OWN_PROCESSES = {"dropped_program", "memory_program", "mem_init", "mem_sibling", "mlock"}
OWN_DEBUGGING = set("ptrace_sibling ptrace_init vm_read vm_write pidfd_getfd kcmp personality".split())
# kernel code that a program seldom needs and whose bugs were the way out: what a profile is for.
KERNEL_CODE = set("""syslog unshare_user clone_user clone3_user listmount perf userfaultfd io_uring add_key keyctl request_key
modify_ldt fanotify memfd_secret vsock af_alg splice_alg netlink_audit netlink_xfrm netlink_netfilter netlink_generic
x32 tiocsti""".split())
NO_PROFILE = KERNEL_CODE | OWN_DEBUGGING
IN_A_PROFILE = {"int80"} | OWN_PROCESSES
# A user namespace of one's own: langsbx's broad Landlock layer refuses the mounts in it, the others don't.
NESTED = {"userns_mount"}
OWN = OWN_FILES | OWN_PROCESSES | OWN_DEBUGGING


def kinds_of(through):
    """(ways out, kernel code, the container's own) among the techniques that got through."""
    kernel = KERNEL_CODE | NESTED | HOST_SETTINGS | {"packet", "raw_ip", "int80"}
    return [through - OWN - kernel, through & kernel, through & OWN]


def may_succeed(kind, uid):
    root = uid == 0
    if kind == "guarded":
        return {"mlock"} | ({"setuid_root"} if root else set()) | HOST_SETTINGS
    allowed = IN_A_PROFILE | HOST_SETTINGS | (OWN_FILES | {"raw_ip"} if root else set())
    if kind == "default":
        return allowed
    allowed |= NO_PROFILE | ({"packet"} if root else set())
    return allowed if kind.endswith("langsbx") else allowed | NESTED
