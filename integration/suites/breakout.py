"""The breakout kit: one known technique after the other, from inside, as root and as a user; each has to be refused."""
import json
import os
import shutil
import socket

from harness.case import Failure, Skip, each, expect, needs, only

# What root with Docker's capability set must not get, whichever runtime: namespaces, capabilities, masks stop it.
ROOT = """mount remount umount umount_proc pivot unshare_mount unshare_net setns_init kexec module finit_module reboot
swapoff settime iopl syslog bpf perf handle raw_socket mknod_disk mknod_mem core_pattern sysrq modprobe
binfmt uevent release_agent kcore exe_write oom_host quotactl acct hostname""".split()
# What only a seccomp profile or Landlock stops for root.
HARDENED = "unshare_user userfaultfd io_uring keyctl af_alg vsock fsopen open_tree personality".split()
USER = ROOT + "setuid_root nice".split()
PROFILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../seccomp-profiles/default.json")
DEFAULT_SET = ["CAP_AUDIT_WRITE", "CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID", "CAP_KILL", "CAP_MKNOD",
               "CAP_NET_BIND_SERVICE", "CAP_SETFCAP", "CAP_SETGID", "CAP_SETPCAP", "CAP_SETUID", "CAP_SYS_CHROOT"]


def attacks(it, made, uid=0):
    made.caps(*DEFAULT_SET)
    made.process["user"] = {"uid": uid, "gid": uid}
    it.add_probe(made, "attack")
    result = it.run(made.args("attack"))
    rows = {l.split(" ", 1)[0]: l.split(" ", 1)[1] for l in result.out.splitlines() if " " in l}
    expect(len(rows) > 40, f"the kit did not run: {result.text[-400:]}")
    return rows


def judge(rows, wanted):
    through = [f"{name}: {rows[name]}" for name in wanted if name in rows and "refused" not in rows[name]]
    if through:
        raise Failure("not refused: " + ", ".join(through))


def test_root(it):
    judge(attacks(it, it.bundle()), ROOT)


def test_user(it):
    judge(attacks(it, it.bundle(), 1000), USER)


def test_user_without_new_privileges(it):
    made = it.bundle()
    made.process["noNewPrivileges"] = True
    judge(attacks(it, made, 1000), USER)


def test_user_namespace_root(it):
    made = it.bundle().user_namespace()
    judge(attacks(it, made), [n for n in ROOT if n not in ("hostname",)])


def test_exec_is_no_weaker(it):
    """What create refuses, exec refuses."""
    made = it.bundle("sleep", "1000").caps(*DEFAULT_SET)
    it.add_probe(made, "attack")
    result = it.rt("exec", it.started(made), "attack")
    judge(dict(l.split(" ", 1) for l in result.out.splitlines() if " " in l), ROOT)



def test_setuid_binary_with_no_new_privileges(it):
    made = it.bundle()
    made.process["noNewPrivileges"] = True
    made.process["user"] = {"uid": 1000, "gid": 1000}
    os.mkdir(f"{made.rootfs}/opt")
    shutil.copy(f"{made.rootfs}/bin/busybox", f"{made.rootfs}/opt/id")
    os.chmod(f"{made.rootfs}/opt/id", 0o4755)
    expect(it.sh("/opt/id -u", made) == "1000", "a setuid program became root")


def test_symlink_volume(it):
    """A volume that holds a link to / of the host shows the container's own /."""
    volume = f"{it.folder}/volume"
    os.mkdir(volume)
    os.symlink("/etc", volume + "/link")
    made = it.bundle().mount("/v", "bind", volume, "bind")
    expect("trap" in it.sh("cat /v/link/passwd", made), "the link led out")


def test_proc_root_of_init(it):
    expect(not it.sh("ls -d /proc/1/root/../boot /proc/1/cwd/../boot 2>/dev/null; true"), "the host's /boot is seen")


def test_abstract_sockets_of_the_host(it):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0" + it.tag)
        server.listen()
        expect(it.tag not in it.sh("cat /proc/net/unix"), "the host's abstract socket is seen")


def test_signals_reach_no_other(it):
    other = it.started(suffix="other")
    it.run(it.bundle(shell="kill -9 -1; true"))
    expect(it.rt.state(other)["status"] == "running", "the other container died")


def test_keyring_is_its_own(it):
    rows = it.sh("cat /proc/keys 2>/dev/null | wc -l")
    if rows not in ("0",):
        raise Skip("/proc/keys is readable here")


@only("langsbx")
@each(**{name: name for name in HARDENED})
def test_default_profile(it, name):
    """What the shipped seccomp profile refuses."""
    made = it.bundle()
    with open(PROFILE, encoding="utf-8") as handle:
        made.linux["seccomp"] = json.load(handle)
    judge(attacks(it, made), [name])


@only("langsbx")
@needs("landlock:1")
def test_landlock_stops_mounts_despite_the_capability(it):
    """The broad layer: CAP_SYS_ADMIN alone does not make a mount."""
    made = it.bundle()
    it.add_probe(made, "attack")
    made.caps(*DEFAULT_SET, "CAP_SYS_ADMIN")
    result = it.run(made.args("attack"))
    judge(dict(l.split(" ", 1) for l in result.out.splitlines() if " " in l), ["mount", "remount", "umount", "pivot"])
