"""devices: default nodes, further nodes, what the cgroup lets through."""
import os
import stat

from harness.case import contains, each, equal, expect

NODES = {"null": (1, 3), "zero": (1, 5), "full": (1, 7), "random": (1, 8), "urandom": (1, 9), "tty": (5, 0)}


@each(null="null", zero="zero", full="full", random="random", urandom="urandom", tty="tty")
def test_default_node(it, name):
    major, minor = NODES[name]
    equal(it.sh(f"stat -c '%F %t:%T %a' /dev/{name}"), f"character special file {major:x}:{minor:x} 666")


@each(fd="/proc/self/fd", stdin="/proc/self/fd/0", stdout="/proc/self/fd/1", stderr="/proc/self/fd/2", ptmx="pts/ptmx")
def test_default_link(it, target):
    name = {"/proc/self/fd/0": "stdin", "/proc/self/fd/1": "stdout", "/proc/self/fd/2": "stderr", "pts/ptmx": "ptmx"}
    found = it.sh(f"readlink /dev/{name.get(target, 'fd')}")
    expect(found.lstrip("/").removeprefix("dev/") == target.lstrip("/"), f"{found!r}")


def fuse(**more):
    return {"path": "/dev/fuse", "type": "c", "major": 10, "minor": 229, **more}


def test_node(it):
    made = it.bundle()
    made.linux["devices"] = [fuse(fileMode=0o640, uid=7, gid=8)]
    equal(it.sh("stat -c '%F %t:%T %a %u:%g' /dev/fuse", made), "character special file a:e5 640 7:8")


def test_block_and_fifo(it):
    made = it.bundle()
    made.linux["devices"] = [{"path": "/dev/myloop", "type": "b", "major": 7, "minor": 5, "fileMode": 0o600},
                             {"path": "/dev/pipe", "type": "p", "fileMode": 0o622}]
    contains(it.sh("stat -c %F /dev/myloop /dev/pipe", made), "block special file\nfifo")


def test_node_outside_dev(it):
    made = it.bundle()
    made.linux["devices"] = [fuse(path="/opt/x/fuse")]
    contains(it.sh("stat -c %F /opt/x/fuse", made), "character")


def test_unknown_type(it):
    made = it.bundle("true")
    made.linux["devices"] = [fuse(type="x")]
    it.run(made).fails("devices")


def test_denied_by_default(it):
    made = it.bundle()
    made.linux["devices"] = [fuse(fileMode=0o666)]
    contains(it.sh("( : < /dev/fuse ) 2>&1 || echo refused", made), "refused")


def test_allowed_by_rule(it):
    made = it.bundle()
    made.linux["devices"] = [fuse(fileMode=0o666)]
    made.resources["devices"].append({"allow": True, "type": "c", "major": 10, "minor": 229, "access": "rw"})
    equal(it.sh(": < /dev/fuse && : > /dev/fuse && echo both", made), "both")


def test_read_only_rule(it):
    made = it.bundle()
    made.linux["devices"] = [fuse(fileMode=0o666)]
    made.resources["devices"].append({"allow": True, "type": "c", "major": 10, "minor": 229, "access": "r"})
    contains(it.sh(": < /dev/fuse && echo read; ( : > /dev/fuse ) 2>&1 || echo refused", made), "refused")


def test_empty_list_denies(it):
    """GHSA-g54h-m393-cpwq: no rules means the defaults and nothing else."""
    made = it.bundle()
    made.resources["devices"] = []
    made.linux["devices"] = [fuse(fileMode=0o666)]
    out = it.sh("( : < /dev/fuse ) 2>&1 || echo refused; head -c1 /dev/zero | wc -c", made)
    contains(out, "refused")
    contains(out, "1")


def test_existing_other_file_in_the_way(it):
    made = it.bundle("true")
    made.config["mounts"] = [m for m in made.config["mounts"] if m["destination"] != "/dev"
                             and not m["destination"].startswith("/dev/")]
    made.linux["devices"] = [fuse()]
    made.file("/dev/fuse", "a file")
    it.run(made).fails("/dev/fuse")


def test_host_nodes_untouched(it):
    before = os.stat("/dev/null")
    it.sh("rm -f /dev/null; mknod /dev/null c 1 5; chmod 600 /dev/zero")
    after = os.stat("/dev/null")
    equal((after.st_rdev, stat.S_IMODE(after.st_mode)), (before.st_rdev, stat.S_IMODE(before.st_mode)))
    equal(stat.S_IMODE(os.stat("/dev/zero").st_mode), 0o666)


def test_existing_node_keeps_its_owner(it):
    """The host's /dev may be bound in: what lies there is not given to somebody else."""
    made = it.bundle("true")
    folder = f"{it.folder}/dev"
    os.mkdir(folder)
    os.mknod(f"{folder}/null", stat.S_IFCHR | 0o666, os.makedev(1, 3))
    made.config["mounts"] = [m for m in made.config["mounts"] if m["destination"] != "/dev"
                             and not m["destination"].startswith("/dev/")]
    made.config["mounts"].append({"destination": "/dev", "type": "bind", "source": folder, "options": ["bind"]})
    made.linux["devices"] = [{"path": "/dev/null", "type": "c", "major": 1, "minor": 3, "uid": 1000, "gid": 1001}]
    it.run(made).ok()
    after = os.stat(f"{folder}/null")
    equal((after.st_uid, after.st_gid), (0, 0))


def test_owner_in_user_namespace(it):
    """A node that has to be bound in keeps the owner that the config gives it."""
    made = it.bundle().user_namespace(0, 4294967295)
    made.linux["devices"] = [{"path": "/dev/foo", "type": "b", "major": 1, "minor": 5, "uid": 10, "gid": 11}]
    equal(it.sh("stat -c %u:%g /dev/foo", made), "10:11")
