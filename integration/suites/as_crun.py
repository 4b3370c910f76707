"""Called crun: what its callers expect otherwise than runc's; and crun's annotations and options under any name."""
import json
import os
import socket
import subprocess

from harness.case import contains, each, equal, expect, needs, only
from suites.sockets import give


def call_it_crun(it):
    link = f"{it.folder}/crun"
    os.symlink(os.path.abspath(it.rt.path), link)
    it.rt.path = link


@only("langsbx")
def test_version_and_help(it):
    call_it_crun(it)
    out = it.rt("--version").ok().out
    contains(out, "crun version ")
    contains(out, "+SYSTEMD")
    expect(it.rt("exec", "--help").ok().out.startswith("Usage: crun [OPTION...] exec CONTAINER cmd\nOCI runtime\n"), "exec's usage")
    text = it.rt("--help").ok().out
    expect(text.startswith("Usage: crun [OPTION...] COMMAND [OPTION...]\n\nCOMMANDS:\n\tcreate      - create a container\n"), text)


@only("langsbx", "crun")
@each(kept=("1", False, "1234"), kept_in_a_user_namespace=("1", True, "65534"), dropped=("0", False, ""), dropped_in_a_user_namespace=("0", True, ""))
def test_groups_of_the_caller(it, row):
    """Podman's --group-add keep-groups. A user namespace shows those that it does not map as 65534; they count for the host's files."""
    annotation, user_namespace, groups = row
    made = it.bundle("sh", "-c", "grep ^Groups: /proc/self/status; exec sleep 1000")
    made.config["annotations"] = {"run.oci.keep_original_groups": annotation}
    made.process["user"] = {"uid": 0, "gid": 0, "additionalGids": []}
    if user_namespace:
        made.user_namespace()
    it.create(made, extra_groups=[1234]).ok()
    it.rt("start", it.id()).ok()
    said = it.rt("exec", it.id(), "grep", "^Groups:", "/proc/1/status", "/proc/self/status", extra_groups=[1234]).ok().out
    equal([line.split(":")[2].strip() for line in said.splitlines()], [groups, groups])


@only("langsbx")
def test_status_file(it):
    call_it_crun(it)
    it.create(it.bundle("sleep", "100")).ok()
    with open(f"{it.rt.root}/{it.id()}/status", encoding="utf-8") as handle:
        status = json.load(handle)
    state = it.rt.state(it.id())
    equal((status["pid"], status["bundle"]), (state["pid"], state["bundle"]))
    expect(status["detached"] and not status["systemd-cgroup"], str(status))
    equal(len(json.loads(status["external_descriptors"])), 3)


@only("langsbx")
def test_preserve_fds_with_holes(it):
    """Numbers that are not open are passed over, and nothing of the runtime's own slips into them."""
    give(9, b"nine\n")
    made = it.bundle(shell="cat <&9; ls -1 /proc/self/fd | tr '\\n' ' '")
    log = ("--log", f"{it.folder}/log")
    made.write()
    it.rt.globals = list(log)
    it.rt("run", "--preserve-fds", "20", "--bundle", made.path, it.id("runc"), pass_fds=(9,)).fails("is not open")
    call_it_crun(it)
    out = it.rt("run", "--preserve-fds", "20", "--bundle", made.path, it.id(), pass_fds=(9,)).ok().out
    # 3 is ls's own.
    equal(out.split(), ["nine", "0", "1", "2", "3", "9"])


@only("langsbx")
def test_notify_socket(it):
    """The socket appears at the path of the outer one; a foreground run passes readiness on and nothing else."""
    call_it_crun(it)
    path = f"{it.folder}/notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.bind(path)
        server.settimeout(10 * it.settings.slow)
        it.add_probe(made := it.bundle("notify"), "notify").write()
        it.spawn("run", "--bundle", made.path, it.id(), env={**os.environ, "NOTIFY_SOCKET": path})
        equal(server.recv(1000), b"READY=1")
        with open(f"/proc/{it.rt.state(it.id())['pid']}/environ", encoding="utf-8") as handle:
            contains(handle.read().split("\0"), f"NOTIFY_SOCKET={path}/notify")


@only("langsbx")
def test_hook_output_files(it):
    made = it.bundle("true").hook("createRuntime", "/bin/sh", ["sh", "-c", "echo to-out; echo to-err >&2"])
    made.config["annotations"] = {"run.oci.hooks.stdout": f"{it.folder}/out", "run.oci.hooks.stderr": f"{it.folder}/err"}
    it.run(made).ok()
    for name in ("out", "err"):
        with open(f"{it.folder}/{name}", encoding="ascii") as handle:
            equal(handle.read(), f"to-{name}\n")


@only("langsbx")
def test_pidfd_receiver(it):
    path = f"{it.folder}/receiver"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        server.settimeout(10 * it.settings.slow)
        made = it.bundle("true")
        made.config["annotations"] = {"run.oci.pidfd_receiver": path}
        it.create(made).ok()
        connection, _ = server.accept()
        with connection:
            _, fds, _, _ = socket.recv_fds(connection, 200, 2)
    with open(f"/proc/self/fdinfo/{fds[0]}", encoding="ascii") as handle:
        contains(handle.read(), f"Pid:\t{it.rt.state(it.id())['pid']}\n")


@only("langsbx")
@needs("kernel:5.12")
def test_idmap_with_ranges(it):
    path = f"{it.folder}/source"
    os.makedirs(path)
    for uid in (0, 10):
        name = f"{path}/f{uid}"
        with open(name, "w", encoding="ascii"):
            pass
        os.chown(name, uid, uid)
    made = it.bundle().mount("/m", "bind", path, "bind", "idmap=uids=0-5000-10#10-7000-1;gids=0-6000-20")
    equal(it.sh("stat -c '%u:%g' /m/f0 /m/f10", made).split(), ["5000:6000", "7000:6010"])
    for wrong in ("idmap=uids=1-2", "idmap=users=0-1-1", "idmap=uids=@7-7-1;gids=0-1-1"):
        it.run(it.bundle("true").mount("/m", "bind", path, "bind", wrong), suffix="w").fails("mounts[6].options: idmap")


@only("langsbx")
def test_exec_asks_for_no_new_privs_anew(it):
    """crun's exec goes by its own option; under other names the container's setting holds."""
    made = it.bundle("sleep", "1000")
    made.process["noNewPrivileges"] = True
    box = it.started(made)
    look = ("grep", "NoNewPrivs", "/proc/self/status")
    equal(it.rt("exec", box, *look).ok().out.split()[1], "1")
    call_it_crun(it)
    equal(it.rt("exec", box, *look).ok().out.split()[1], "0")
    equal(it.rt("exec", "--no-new-privs", box, *look).ok().out.split()[1], "1")


@only("langsbx")
def test_unknown_names(it):
    """Unknown system calls and capabilities are passed over, unless the annotation wants the first refused."""
    made = it.bundle("true")
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["no_such_call"], "action": "SCMP_ACT_ERRNO"}]}
    contains(it.run(made, suffix="warned").ok().err.replace("\\", ""), 'unknown system call "no_such_call" is not refused')
    call_it_crun(it)
    made.process["capabilities"] = {"bounding": ["CAP_NO_SUCH"]}
    it.run(made, suffix="crun").ok()
    made.config["annotations"] = {"run.oci.seccomp_fail_unknown_syscall": "1"}
    it.run(made, suffix="annotated").fails("no_such_call")


@only("langsbx")
def test_streams_get_the_group(it):
    call_it_crun(it)
    made = it.bundle(shell="stat -L -c %u:%g /proc/self/fd/1 >&2")
    made.process["user"] = {"uid": 5, "gid": 7}
    made.write()
    path = f"{it.folder}/out"
    with open(path, "wb") as out:
        subprocess.run(it.rt.argv("run", "--bundle", made.path, it.id()), stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL, check=True)
    status = os.stat(path)
    equal((status.st_uid, status.st_gid), (5, 7))


@only("langsbx")
def test_spec_into_another_file(it):
    made = it.bundle()
    it.rt("spec", "--bundle", made.path, "--file", "other.json").ok()
    it.rt("spec", "--bundle", made.path, "-f", "other.json").fails("File other.json exists")
    with open(f"{made.path}/other.json", encoding="utf-8") as handle:
        expect("process" in json.load(handle) and not os.path.exists(f"{made.path}/config.json"), "not there alone")


@only("langsbx")
def test_no_id_with_a_dot_in_front(it):
    call_it_crun(it)
    made = it.bundle("true").write()
    it.rt("run", "--bundle", made.path, ".hidden").fails("invalid container ID")


@only("langsbx")
@each(in_path=("", "executable file `` not found in $PATH: No such file or directory", 'exec: "": executable file not found in $PATH'),
      absolute=("/nope", "executable file `/nope` not found: No such file or directory", 'exec: "/nope": stat /nope'))
def test_a_program_that_is_not_there(it, row):
    """crun's line for who looks for that (Podman), ours for who looks for runc's (Docker)."""
    call_it_crun(it)
    program, crun, ours = row
    it.rt.globals = ["--log", f"{it.folder}/log"]  # so that stderr has the text as it is
    it.run(it.bundle(program)).fails(f"{crun}\n{ours}")


@only("langsbx")
def test_a_terminal_needs_a_console_socket(it):
    call_it_crun(it)
    made = it.bundle("true")
    made.process["terminal"] = True
    made.write()
    it.rt("run", "--detach", "--bundle", made.path, it.id()).fails("use --console-socket with --detach when a terminal is used")
    it.rt("create", "--bundle", made.path, it.id()).fails("use --console-socket with create when a terminal is used")
