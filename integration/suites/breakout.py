"""The breakout kit: known ways out of a container, one after the other, tried from inside; what may get through is listed."""
import os
import shutil
import socket

from harness import breakout
from harness.case import Failure, Skip, each, expect, needs, only


def judge(rows, kind, user):
    through = {name: text for name, text in rows.items() if text == "SUCCEEDED"}
    beyond = sorted(set(through) - breakout.may_succeed(kind, user))
    if beyond:
        raise Failure(f"got through: {' '.join(beyond)}")


@each(root=0, user=1000)
def test_bare(it, uid):
    """No seccomp profile: namespaces, capabilities, masks and (here) Landlock's broad layer stand alone."""
    judge(breakout.attack(it, "bare", uid), f"bare-{it.rt.name}", uid)


@only("langsbx")
@each(root=0, user=1000)
def test_default_profile(it, uid):
    judge(breakout.attack(it, "default", uid), "default", uid)


@only("langsbx")
@needs("landlock:6")
@each(root=0, user=1000)
def test_guarded(it, uid):
    """What a guarded program gets: its language's profile, no_new_privs, Landlock's tight layer."""
    judge(breakout.attack(it, "guarded", uid), "guarded", uid)


def test_user_namespace_root(it):
    made = it.bundle().user_namespace()
    judge(breakout.attack(it, "bare", 0, made), f"userns-{it.rt.name}", 0)


@only("langsbx")
@needs("landlock:6")
def test_exec_is_no_weaker(it):
    """What create refuses, exec refuses, with the profile and both Landlock layers."""
    made = breakout.prepare(it, "guarded", 0, it.bundle())
    made.args("attack", "wait")
    result = it.rt("exec", it.started(made), "attack")
    judge(breakout.rows_of(result), "guarded", 0)


def test_setuid_binary_with_no_new_privileges(it):
    made = it.bundle()
    made.process["noNewPrivileges"] = True
    made.process["user"] = {"uid": 1000, "gid": 1000}
    os.mkdir(f"{made.rootfs}/opt")
    shutil.copy(f"{made.rootfs}/bin/busybox", f"{made.rootfs}/opt/id")
    os.chmod(f"{made.rootfs}/opt/id", 0o4755)
    expect(it.sh("/opt/id -u", made) == "1000", "a setuid program became root")


def test_symlink_volume(it):
    """CVE-2018-15664 and its kin: a volume that holds a link to / of the host shows the container's own /."""
    volume = f"{it.folder}/volume"
    os.mkdir(volume)
    os.symlink("/etc", volume + "/link")
    made = it.bundle().mount("/v", "bind", volume, "bind")
    expect("trap" in it.sh("cat /v/link/passwd", made), "the link led out")


def test_proc_root_of_init(it):
    expect(not it.sh("for top in /proc/1/root /proc/1/cwd; do (cd $top/.. && ls -d boot 2>/dev/null); done; true"), "the host's /boot is seen")


def test_abstract_sockets_of_the_host(it):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0" + it.tag)
        server.listen()
        expect(it.tag not in it.sh("cat /proc/net/unix"), "the host's abstract socket is seen")


@only("langsbx")
@needs("landlock:6")
def test_abstract_sockets_without_a_network_namespace(it):
    """CVE-2020-15257: on the host's network a guarded program still reaches no abstract socket of the host."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0" + it.tag)
        server.listen()
        made = it.bundle().without_namespace("network")
        made.process["env"].append("ATTACK_SOCKET=" + it.tag)
        rows = breakout.attack(it, "guarded", 0, made, "abstract_socket")
        expect(rows["abstract_socket"] != "SUCCEEDED", "connected to the host's socket")


def test_signals_reach_no_other(it):
    other = it.started(suffix="other")
    it.run(it.bundle(shell="kill -9 -1; true"))
    expect(it.rt.state(other)["status"] == "running", "the other container died")


def test_keyring_is_its_own(it):
    rows = it.sh("cat /proc/keys 2>/dev/null | wc -l")
    if rows not in ("0",):
        raise Skip("/proc/keys is readable here")


@only("langsbx")
@needs("landlock:1")
def test_landlock_stops_mounts_despite_the_capability(it):
    """The broad layer, where it is required: CAP_SYS_ADMIN alone does not make a mount."""
    made = breakout.prepare(it, "bare", 0, it.bundle())
    made.caps(*breakout.DEFAULT_SET, "CAP_SYS_ADMIN")
    made.config.setdefault("annotations", {})["io.langsbx.landlock"] = "required"
    # Only these: with that capability and no seccomp profile, others would reach the machine's own settings.
    tried = ("mount", "remount", "umount", "pivot", "move_mount_old", "propagate")
    rows = breakout.rows_of(it.run(made.args("sh", "-c", "".join(f"attack {name}; " for name in tried))))
    through = [name for name in tried if rows[name] == "SUCCEEDED"]
    expect(not through, f"mounted: {through}")
