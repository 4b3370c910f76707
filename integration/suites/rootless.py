"""As an ordinary user: own user namespace, ids by newuidmap where more than one is wanted, no cgroup unless one can be had."""
import json
import os
import subprocess

from harness import host
from harness.case import contains, equal, expect, needs, only

USER = 12345
NAME = "itrootless"


class Rootless:
    """The runtime as an unprivileged user, with a bundle and a state folder of their own."""

    def __init__(self, it):
        self.it = it
        self.bundle = it.bundle()
        it.rt("spec", "--rootless", "--bundle", self.bundle.path)
        self.bundle.without_namespace("network")
        self.bundle.config["mounts"] = [m for m in self.bundle.config["mounts"] if m["type"] not in ("sysfs", "mqueue")]
        for mount in self.bundle.config["mounts"]:
            mount["options"] = [o for o in mount.get("options", []) if not o.startswith("gid=")]
        self.bundle.namespace("user")
        self.bundle.linux.pop("cgroupsPath")
        self.bundle.linux.pop("resources")
        self.bundle.linux["maskedPaths"], self.bundle.linux["readonlyPaths"] = [], []
        self.map([{"containerID": 0, "hostID": USER, "size": 1}])
        self.runtime_dir = f"{it.folder}/run"
        os.mkdir(self.runtime_dir, 0o700)
        subprocess.run(["chown", "-hR", f"{USER}:{USER}", self.bundle.path, self.runtime_dir], check=True)
        it.rt.root = f"{self.runtime_dir}/state"

    def map(self, lines):
        self.bundle.linux["uidMappings"] = self.bundle.linux["gidMappings"] = lines

    def __call__(self, *words, **more):
        self.bundle.write()
        argv = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all", "env", "-i",
                f"XDG_RUNTIME_DIR={self.runtime_dir}", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", *self.it.rt.argv(*words)]
        return self.it.rt(argv=argv, cwd="/", **more)

    def run(self, script):
        self.bundle.shell(script)
        return self("run", "--bundle", self.bundle.path, self.it.id())


def test_run(it):
    out = Rootless(it).run("id -u; cat /proc/self/uid_map; echo $$").ok().out.split()
    equal(out, ["0", "0", str(USER), "1", "1"])


def test_lifecycle(it):
    user = Rootless(it)
    user.bundle.args("sleep", "1000")
    user("create", "--bundle", user.bundle.path, it.id()).ok()
    user("start", it.id()).ok()
    contains(user("state", it.id()).ok().out, "running")
    equal(user("exec", it.id(), "echo", "in").ok().out, "in\n")
    contains(user("list").ok().out, it.id())
    user("kill", it.id(), "KILL").ok()
    user("delete", "--force", it.id()).ok()


def test_exec_where_no_user_namespace_is_listed(it):
    """A user needs one, so it is made; exec has to find it all the same."""
    user = Rootless(it)
    user.bundle.without_namespace("user").args("sleep", "1000")
    del user.bundle.linux["uidMappings"], user.bundle.linux["gidMappings"]
    user("run", "--detach", "--bundle", user.bundle.path, it.id()).ok()
    equal(user("exec", it.id(), "id", "-u").ok().out, "0\n")
    user("delete", "--force", it.id()).ok()


def test_files_belong_to_the_user(it):
    user = Rootless(it)
    user.run("echo x > /made").ok()
    equal(os.stat(user.bundle.rootfs + "/made").st_uid, USER)


def test_limit_without_a_cgroup_is_refused(it):
    user = Rootless(it)
    user.bundle.linux["resources"] = {"memory": {"limit": 10000000}}
    user.bundle.linux["cgroupsPath"] = "/langsbx-it-not-ours"
    user.run("true").fails("cgroup")


def test_cgroup_mount_is_read_only(it):
    """CVE-2023-25809: without a cgroup namespace of its own, the host's cgroups cannot be written."""
    user = Rootless(it)
    user.bundle.mount("/sys/fs/cgroup", "cgroup", "cgroup", "nosuid", "noexec", "nodev", "relatime", "rw")
    user.bundle.without_namespace("cgroup")
    result = user.run("for f in $(find /sys/fs/cgroup -maxdepth 2 -name cgroup.procs); do ( echo 0 > $f ) 2>/dev/null && echo WROTE; done; true")
    expect("WROTE" not in result.out, result.out)
    # The files are root's here; where they were delegated to the user, only the mount stands in between.
    mounts = [line.split() for line in user.run("cat /proc/self/mounts").ok().out.splitlines()]
    found = [m for m in mounts if m[2] in ("cgroup", "cgroup2")]
    expect(found and all("ro" in m[3].split(",") for m in found), found)


def test_additional_groups_refused(it):
    user = Rootless(it)
    user.bundle.process["user"]["additionalGids"] = [5]
    expect(user.run("true").code != 0, "additional groups without a mapping")


@needs("program:newuidmap")
def test_mapped_by_newuidmap(it):
    if host.libc.unshare(host.CLONE_NEWNS) != 0:
        raise OSError("unshare")
    # A user that exists for this case only.
    for name, line in (("passwd", f"{NAME}:x:{USER}:{USER}::/:/bin/sh"), ("subuid", f"{NAME}:200000:1000"),
                       ("subgid", f"{NAME}:200000:1000"), ("group", f"{NAME}:x:{USER}:")):
        path = f"{it.folder}/{name}"
        with open(f"/etc/{name}", encoding="utf-8") as old, open(path, "w", encoding="utf-8") as new:
            new.write(old.read() + line + "\n")
        os.chmod(path, 0o644)
        host.mount(path, f"/etc/{name}", None, host.MS_BIND)
    user = Rootless(it)
    user.map([{"containerID": 0, "hostID": USER, "size": 1}, {"containerID": 1, "hostID": 200000, "size": 1000}])
    user.bundle.process["user"] = {"uid": 7, "gid": 8}
    subprocess.run(["chmod", "-R", "a+rX", user.bundle.path], check=True)
    out = user.run("id -u; id -g; wc -l < /proc/self/uid_map").ok().out.split()
    equal(out, ["7", "8", "2"])
    # Its processes are another user's on the host, and can be watched none the less.
    user.bundle.shell("echo x > /file; exit 0")
    contains(user("run", "--explain", "--bundle", user.bundle.path, it.id("e")).ok().err, "refused: sh[")


@only("langsbx")
def test_pid_namespace_of_another_container(it):
    """As in a pod of rootless Podman: inside a user namespace the runtime may enter the pod's pid namespace, but not come back to its own."""
    user = Rootless(it)
    user.bundle.without_namespace("user")
    for key in ("uidMappings", "gidMappings"):
        user.bundle.linux.pop(key)
    user.bundle.args("sleep", "1000").write()
    second = it.bundle("sh", "-c", "echo $$; cat /proc/1/cmdline | tr '\\0' ' '")
    second.config = json.loads(json.dumps({**user.bundle.config, "process": second.config["process"]}))
    second.linux["namespaces"] = [{**one, "path": "@"} if one["type"] == "pid" else one for one in second.linux["namespaces"]]
    second.write()
    subprocess.run(["chown", "-hR", f"{USER}:{USER}", second.path], check=True)
    first, joining = it.id("pod"), it.id("joins")
    call = " ".join(it.rt.argv())
    script = (f"set -e; {call} run --detach --bundle {user.bundle.path} {first}; pid=$({call} state {first} | sed -n 's/.*\"pid\": *\\([0-9]*\\).*/\\1/p'); "
              f"sed -i \"s,@,/proc/$pid/ns/pid,\" {second.path}/config.json; {call} run --bundle {second.path} {joining}; "
              f"{call} exec --explain {first} true 2> /dev/null; {call} delete --force {first}")
    argv = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all", "env", "-i", f"XDG_RUNTIME_DIR={user.runtime_dir}",
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script]
    out = it.rt(argv=argv, cwd="/").ok().out.split()
    expect(out[0] != "1" and out[1:3] == ["sleep", "1000"], str(out))
