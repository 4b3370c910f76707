"""mount_depth: what lies below and beside what is made: submounts, modes, flags; and fallbacks without privileges."""
import os
import socket
import stat
import subprocess

from harness.case import contains, each, equal, expect, needs, only
from suites.rootless import Rootless

LOCKED = {"ro", "nosuid", "nodev", "noexec"}


@each(hidden="private", shared="shared")
def test_readonly_path_with_a_mount_below(it, propagation):
    made = it.bundle().file("/dir/f", "y").file("/dirx/f", "y").mount("/dir/sub", "tmpfs").mount("/dir/sub/deep", "tmpfs")
    made.linux["rootfsPropagation"] = propagation
    made.linux["readonlyPaths"] = ["/dir"]
    out = it.sh("for d in /dir /dir/sub /dir/sub/deep /dirx; do touch $d/x 2>/dev/null && echo $d written; done; true", made)
    equal(out, "/dirx written")


def test_masked_folder_with_a_mount_below(it):
    made = it.bundle().file("/dir/f", "y").mount("/dir/sub", "tmpfs")
    made.linux["maskedPaths"] = ["/dir"]
    equal(it.sh("ls -A /dir; cat /dir/f /dir/sub/f 2>/dev/null; echo end", made), "end")


def test_host_sysfs_in_a_user_namespace_keeps_its_options(it):
    """It can't be mounted anew with the host's network: the host's is bound, and nothing below it may be written."""
    made = it.bundle().user_namespace().without_namespace("network")
    rows = [row.split() for row in it.sh("cat /proc/self/mountinfo", made).splitlines()]
    below = [(row[4], set(row[5].split(","))) for row in rows if row[4] == "/sys" or row[4].startswith("/sys/")]
    below = [(place, options) for place, options in below if place != "/sys/firmware"]
    expect(below, "no /sys")
    for place, options in below:
        expect(LOCKED <= options, f"{place}: {options}")


@only("langsbx")
def test_rootless_device_of_another_number_is_refused(it):
    """The host's /dev/zero is bound, as a user can make no node: it is not what was asked for."""
    user = Rootless(it)
    user.bundle.linux["devices"] = [{"path": "/dev/zero", "type": "c", "major": 1, "minor": 3}]
    user.run("true").fails("/dev/zero", "another device")


@only("langsbx")
def test_rootless_device_of_another_type_is_refused(it):
    user = Rootless(it)
    user.bundle.linux["devices"] = [{"path": "/dev/zero", "type": "b", "major": 1, "minor": 5}]
    user.run("true").fails("/dev/zero", "another device")


@needs("v1")
def test_readonly_cgroup_tmpfs(it):
    made = it.bundle().mount("/sys/fs/cgroup", "cgroup", "cgroup", "nosuid", "noexec", "nodev", "ro")
    out = it.sh("touch /sys/fs/cgroup/x 2>/dev/null && echo written; for d in /sys/fs/cgroup/*/; do mkdir $d/x 2>/dev/null && echo $d; done; "
                "awk '$5==\"/sys/fs/cgroup\"{print $6}' /proc/self/mountinfo", made)
    equal(sorted(out.split(",")), ["nodev", "noexec", "nosuid", "relatime", "ro"])


@needs("v1")
def test_writable_cgroup_tmpfs(it):
    made = it.bundle().mount("/sys/fs/cgroup", "cgroup", "cgroup", "nosuid", "noexec", "nodev")
    contains(it.sh("awk '$5==\"/sys/fs/cgroup\"{print $6}' /proc/self/mountinfo", made), "rw")


def test_tmpcopyup_keeps_modes_owners_and_times(it):
    made = it.bundle().file("/d/suid", "x", 0o4755).file("/d/sub/sgid", "y", 0o2711).file("/d/plain", "z", 0o600)
    os.chmod(f"{made.rootfs}/d/sub", 0o1777)
    os.chown(f"{made.rootfs}/d/plain", 7, 8)
    os.utime(f"{made.rootfs}/d/plain", (1000, 2000))
    os.symlink("plain", f"{made.rootfs}/d/link")
    os.mkfifo(f"{made.rootfs}/d/pipe", 0o622)
    os.chmod(f"{made.rootfs}/d/pipe", 0o622)
    os.chmod(f"{made.rootfs}/d", 0o2750)
    made.mount("/d", "tmpfs", "tmpfs", "tmpcopyup")
    out = it.sh("cd /d; for f in suid sub sub/sgid plain pipe .; do stat -c '%n %a %u:%g' $f; done; stat -c %Y plain; readlink link; cat plain", made)
    equal(out.splitlines(), ["suid 4755 0:0", "sub 1777 0:0", "sub/sgid 2711 0:0", "plain 600 7:8", "pipe 622 0:0", ". 2750 0:0", "2000",
                             "plain", "z"])


@only("langsbx")
def test_multiplexer_outside_devpts_is_refused(it):
    """/dev/pts is a tmpfs, with a node of the right number and the pty file system beside it."""
    made = it.bundle("true")
    made.config["mounts"] = [one for one in made.config["mounts"] if one["destination"] != "/dev/pts"]
    made.mount("/dev/pts", "tmpfs").mount("/dev/pts/pts", "devpts", "devpts", "newinstance", "ptmxmode=0666")
    made.linux["devices"] = [{"path": "/dev/pts/ptmx", "type": "c", "major": 5, "minor": 2}]
    made.process["terminal"] = True
    path = f"{it.folder}/console"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen(1)
        it.create(made, "--console-socket", path).fails("not a pty multiplexer")


@only("langsbx")
@each(pipe=stat.S_IFIFO, file=stat.S_IFREG)
def test_something_else_as_multiplexer_is_refused(it, kind):
    made = it.bundle("true")
    made.config["mounts"] = [one for one in made.config["mounts"] if one["destination"] not in ("/dev/pts", "/dev")]
    os.makedirs(f"{made.rootfs}/dev/pts")
    os.mknod(f"{made.rootfs}/dev/pts/ptmx", kind | 0o666)
    made.config["mounts"] = [one for one in made.config["mounts"] if not one["destination"].startswith("/dev")]
    made.process["terminal"] = True
    path = f"{it.folder}/console"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen(1)
        it.create(made, "--console-socket", path).fails("not a pty multiplexer")


@only("langsbx")
def test_proc_that_is_no_procfs_is_refused(it):
    """A tmpfs whose links lead to the real one: everything is there, and nothing is the kernel's word."""
    made = it.bundle("true").write()
    real = f"{it.folder}/real"
    os.mkdir(real)
    call = " ".join(it.rt.argv("run", "--bundle", made.path, it.id()))
    script = (f"set -e; mount --rbind /proc {real}; mount -t tmpfs fake /proc; for f in {real}/*; do ln -s $f /proc/${{f##*/}}; done; exec {call}")
    it.rt(argv=["unshare", "--mount", "sh", "-c", script]).fails("/proc is not a procfs")


def test_source_is_left_as_it_was(it):
    """Flags and propagation are the container's mount's, never the host's."""
    path = f"{it.folder}/src"
    os.mkdir(path)
    subprocess.run(["mount", "--bind", path, path], check=True)
    try:
        with open("/proc/self/mountinfo", encoding="utf-8") as handle:
            before = [line for line in handle if f" {path} " in line]
        it.run(it.bundle("true").mount("/m", "bind", path, "rbind", "ro", "nosuid", "noexec", "rshared")).ok()
        with open("/proc/self/mountinfo", encoding="utf-8") as handle:
            equal([line for line in handle if f" {path} " in line], before)
    finally:
        subprocess.run(["umount", "-l", path], check=True)
