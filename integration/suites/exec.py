"""exec: a further process in a running container, with every flag."""
import json
import os
import socket
import time

from harness.case import contains, each, equal, expect, needs


def test_output_and_code(it):
    box = it.started()
    result = it.rt("exec", box, "sh", "-c", "echo out; echo err >&2; exit 5")
    equal((result.code, result.out, result.err.splitlines()[:1]), (5, "out\n", ["err"]))


def test_signal_code(it):
    equal(it.rt("exec", it.started(), "sh", "-c", "kill -9 $$").code, 137)


def test_stdin(it):
    equal(it.rt("exec", it.started(), "cat", stdin="abc").ok().out, "abc")


def test_same_namespaces(it):
    box = it.started()
    pid = it.rt.state(box)["pid"]
    out = it.rt("exec", box, "sh", "-c", "for n in pid net ipc uts mnt; do readlink /proc/self/ns/$n; done").ok().out
    wanted = [os.readlink(f"/proc/{pid}/ns/{n}") for n in ("pid", "net", "ipc", "uts", "mnt")]
    equal(out.split(), wanted)


def test_same_cgroup(it):
    box = it.started()
    pid = it.rt.state(box)["pid"]
    child = it.spawn("exec", box, "sleep", "77")
    pids = lambda: [p for p in json.loads(it.rt("ps", "-f", "json", box).out) if p != pid]  # noqa: E731
    it.until("exec's process", pids)
    with open(f"/proc/{pids()[0]}/cgroup", encoding="ascii") as one, open(f"/proc/{pid}/cgroup", encoding="ascii") as two:
        equal(one.read(), two.read())
    child.kill()


def test_cwd(it):
    equal(it.rt("exec", "--cwd", "/tmp", it.started(), "pwd").ok().out, "/tmp\n")


def test_env(it):
    out = it.rt("exec", "--env", "A=1", "--env", "B=two words", it.started(), "env").ok().out
    contains(out, "A=1\n")
    contains(out, "B=two words\n")


@each(both=("1000:1000", "1000 1000"), only_uid=("1000", "1000 0"), root=("0:0", "0 0"), numeric=("7:8", "7 8"))
def test_user(it, value):
    flag, wanted = value
    out = it.rt("exec", "--user", flag, it.started(), "sh", "-c", "echo $(id -u) $(id -g)").ok().out.strip()
    equal(out, wanted)


@each(minus=("-1",), too_big=("4294967295:0",), words=("root:x",), empty_gid=("1:",), huge=("99999999999",))
def test_user_refused(it, value):
    box = it.started()
    result = it.rt("exec", f"--user={value[0]}", box, "id", "-u")
    expect(result.code != 0 or result.out.strip() not in ("0",), f"{value[0]} became root: {result.out!r}")


def test_additional_gids(it):
    out = it.rt("exec", "-g", "55", "-g", "77", it.started(), "id", "-G").ok().out.split()
    expect({"55", "77"} <= set(out), f"groups {out}")


def test_cap(it):
    made = it.bundle("sleep", "1000").caps("CAP_KILL")
    out = it.rt("exec", "--cap", "CAP_KILL", it.started(made), "grep", "Cap", "/proc/self/status").ok().out
    contains(out, "CapEff:\t0000000000000020")
    contains(out, "CapInh:\t0000000000000000")


def test_cap_is_ambient_where_it_is_inheritable(it):
    made = it.bundle("sleep", "1000").caps("CAP_CHOWN")
    made.process["capabilities"]["inheritable"] = ["CAP_KILL"]
    made.process["capabilities"]["bounding"].append("CAP_KILL")
    out = it.rt("exec", "--cap", "CAP_KILL", it.started(made), "grep", "Cap", "/proc/self/status").ok().out
    contains(out, "CapInh:\t0000000000000020")
    contains(out, "CapAmb:\t0000000000000020")


def test_cwd_that_only_the_runtime_reaches(it):
    made = it.bundle("sleep", "1000").caps("CAP_KILL")
    os.makedirs(f"{made.rootfs}/private")
    os.chown(f"{made.rootfs}/private", 42, 42)
    os.chmod(f"{made.rootfs}/private", 0o700)
    made.process["user"] = {"uid": 42, "gid": 42}
    made.process["cwd"] = "/private"
    box = it.started(made)
    equal(it.rt("exec", "--user", "0", box, "true").ok().out, "")


def test_no_new_privs(it):
    contains(it.rt("exec", "--no-new-privs", it.started(), "cat", "/proc/self/status").ok().out, "NoNewPrivs:\t1")


def test_tty_without_socket(it):
    box = it.started()
    command = " ".join(it.rt.argv("exec", "--tty", box, "tty"))
    result = it.rt(argv=["script", "-qec", command, "/dev/null"]).ok()
    contains(result.out, "/dev/pts/")


def test_detach_and_pid_file(it):
    box = it.started()
    it.rt("exec", "--detach", "--pid-file", f"{it.folder}/p", box, "sleep", "55").ok()
    with open(f"{it.folder}/p", encoding="ascii") as handle:
        pid = int(handle.read())
    with open(f"/proc/{pid}/cmdline", encoding="ascii") as handle:
        equal(handle.read(), "sleep\0" + "55\0")


@each(detached=True, attached=False)
def test_process_file(it, detached):
    box = it.started()
    process = {"terminal": False, "user": {"uid": 1000, "gid": 1000}, "cwd": "/tmp", "env": ["PATH=/bin", "X=y"],
               "args": ["sh", "-c", "echo $(id -u) $X $PWD > /tmp/o; echo done"]}
    with open(f"{it.folder}/process.json", "w", encoding="ascii") as handle:
        json.dump(process, handle)
    flags = ["--detach", "--pid-file", f"{it.folder}/p"] if detached else []
    result = it.rt("exec", "--process", f"{it.folder}/process.json", *flags, box).ok()
    out = f"{it.folder}/b1/rootfs/tmp/o"
    it.until("output", lambda: os.path.exists(out) and open(out, encoding="ascii").read())
    equal(open(out, encoding="ascii").read(), "1000 y /tmp\n")
    if not detached:
        equal(result.out, "done\n")


def test_process_file_capabilities(it):
    box = it.started()
    process = {"user": {"uid": 0, "gid": 0}, "cwd": "/", "env": ["PATH=/bin"],
               "args": ["grep", "-E", "Cap|NoNew", "/proc/self/status"], "noNewPrivileges": True,
               "capabilities": {"bounding": ["CAP_KILL"], "effective": ["CAP_KILL"], "permitted": ["CAP_KILL"]}}
    with open(f"{it.folder}/process.json", "w", encoding="ascii") as handle:
        json.dump(process, handle)
    out = it.rt("exec", "--process", f"{it.folder}/process.json", box).ok().out
    contains(out, "CapBnd:\t0000000000000020")
    contains(out, "NoNewPrivs:\t1")


def test_rlimits(it):
    made = it.bundle("sleep", "1000")
    made.process["rlimits"] = [{"type": "RLIMIT_NOFILE", "hard": 300, "soft": 200}]
    box = it.started(made)
    equal(it.rt("exec", box, "sh", "-c", "ulimit -Hn; ulimit -Sn").ok().out.split(), ["300", "200"])


def test_console_socket(it):
    box = it.started()
    path = f"{it.folder}/console"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        it.rt("exec", "--tty", "--detach", "--console-socket", path, box, "sh", "-c", "tty; echo fin").ok()
        connection, _ = server.accept()
        with connection:
            _, fds, _, _ = socket.recv_fds(connection, 100, 1)
        contains(read_tty(fds[0]), "/dev/pts/")


def read_tty(fd):
    text, end = b"", time.monotonic() + 5
    while time.monotonic() < end and b"fin" not in text:
        try:
            text += os.read(fd, 1000)
        except OSError:
            break
    os.close(fd)
    return text.decode()


@each(missing=(["/nope"], "no such file or directory"), not_executable=(["/etc/passwd"], "permission denied"),
      not_in_path=(["nosuchprogram"], "executable file not found in $PATH"))
def test_error_text(it, value):
    argv, text = value
    it.rt("exec", it.started(), *argv).fails(text)


def test_unknown(it):
    it.rt("exec", "nobody", "true").fails("does not exist")


def test_stopped(it):
    box = it.started(it.bundle("true"))
    it.rt.wait_status(box, "stopped")
    it.rt("exec", box, "true").fails("stopped")


def test_created(it):
    it.create(it.bundle("true")).ok()
    equal(it.rt("exec", it.id(), "echo", "in").ok().out, "in\n")


def test_no_args(it):
    it.rt("exec", it.started()).fails()


@needs("v1")
def test_cgroup_flag(it):
    made = it.bundle("sleep", "1000")
    box = it.started(made)
    os.mkdir(it.cgroup_dir("pids", made) + "/sub")
    out = it.rt("exec", "--cgroup", "pids:sub", box, "cat", "/proc/self/cgroup").ok().out
    expect(any(l.split(":")[1] == "pids" and l.strip().endswith("/sub") for l in out.splitlines()), out)


@needs("v2")
def test_a_named_cgroup_is_that_one(it):
    """Where processes sit in groups below, exec goes to init's; --cgroup says which, and no other will do."""
    made = it.bundle("sleep", "1000")
    box = it.started(made)
    group = it.cgroup_dir("", made)
    os.mkdir(f"{group}/below")
    for file, text in (("below/cgroup.procs", str(it.rt.state(box)["pid"])), ("cgroup.subtree_control", "+pids")):
        with open(f"{group}/{file}", "w", encoding="ascii") as handle:
            handle.write(text)
    shown = ("sh", "-c", "cat /proc/self/cgroup")
    expect("below" in it.rt("exec", box, *shown).ok().out, "without a name: where init is")
    expect("below" in it.rt("exec", "--cgroup", "below", box, *shown).ok().out, "by name")
    it.rt("exec", "--cgroup", "/", box, "true").fails(" adding pid ", " to cgroups ", "/cgroup.procs: device or resource busy")


def test_preserve_fds(it):
    box = it.started()
    read, write = os.pipe()
    os.dup2(write, 3)
    os.set_inheritable(3, True)
    it.rt("exec", "--preserve-fds", "1", box, "sh", "-c", "echo through >&3", pass_fds=(3,)).ok()
    equal(os.read(read, 100), b"through\n")
    with open(f"{it.folder}/given", "w+b") as given:
        given.write(b"hello")
        given.flush()
        os.dup2(given.fileno(), 3)
    # By its name, too: tools open /dev/fd/3.
    equal(it.rt("exec", "--preserve-fds", "1", box, "cat", "/proc/self/fd/3", pass_fds=(3,)).ok().out, "hello")


def test_many_at_once(it):
    box = it.started()
    calls = [it.spawn("exec", box, "sh", "-c", f"exit {n}") for n in range(12)]
    equal([c.wait(20) for c in calls], list(range(12)))


def test_home_from_passwd(it):
    made = it.bundle("sleep", "1000")
    made.process["env"] = ["PATH=/bin"]
    equal(it.rt("exec", "--user", "1000", it.started(made), "sh", "-c", "echo $HOME").ok().out, "/home\n")


def test_user_namespace(it):
    made = it.bundle("sleep", "1000").user_namespace()
    out = it.rt("exec", it.started(made), "sh", "-c", "id -u; cat /proc/self/uid_map").ok().out.split()
    equal(out, ["0", "0", "100000", "65536"])


def test_ignore_paused(it):
    box = it.started()
    it.rt("pause", box).ok()
    child = it.spawn("exec", "--ignore-paused", box, "sh", "-c", "exit 6")
    time.sleep(0.3)
    it.rt("resume", box).ok()
    equal(child.wait(10), 6)
