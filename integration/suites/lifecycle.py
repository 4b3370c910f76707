"""create, start, state, kill, delete, run, list, pause, resume: the states and what each call says."""
import json
import os
import re
import select
import signal
import time

from harness.case import Skip, contains, each, equal, expect, only


def test_run(it):
    equal(it.sh("echo hello"), "hello")


@each(zero=0, one=1, three=3, high=255)
def test_exit_code(it, code):
    equal(it.run(it.bundle(shell=f"exit {code}")).code, code)


@each(term=15, kill=9, hup=1)
def test_exit_signal(it, number):
    made = it.bundle(shell=f"kill -{number} $$; sleep 5").without_namespace("pid")
    equal(it.run(made).code, 128 + number)


def test_run_removes_state(it):
    it.sh("true")
    it.rt("state", it.id()).fails("does not exist")


def test_run_detach(it):
    made = it.bundle("sleep", "1000")
    it.run(made, "--detach", "--pid-file", f"{it.folder}/pid").ok()
    equal(it.rt.state(it.id())["status"], "running")
    with open(f"{it.folder}/pid", encoding="ascii") as handle:
        equal(int(handle.read()), it.rt.state(it.id())["pid"])


def test_create_state_start(it):
    made = it.bundle(shell="echo ran > /ran; sleep 1000")
    made.config["annotations"] = {"a.b": "c", "empty": ""}
    it.create(made).ok()
    state = it.rt.state(it.id())
    equal(state["status"], "created")
    equal(state["id"], it.id())
    equal(state["bundle"], made.path)
    expect(re.match(r"^\d\.\d\.\d", state["ociVersion"]), f"ociVersion {state['ociVersion']!r}")
    equal({k: v for k, v in state["annotations"].items() if k in ("a.b", "empty")}, {"a.b": "c", "empty": ""})
    os.kill(state["pid"], 0)
    expect(not os.path.exists(made.rootfs + "/ran"), "the program ran before start")
    it.rt("start", it.id()).ok()
    it.rt.wait_status(it.id(), "running")
    it.until("the program", lambda: os.path.exists(made.rootfs + "/ran"))


def test_state_times(it):
    it.create(it.bundle("true")).ok()
    created = it.rt.state(it.id())["created"]
    expect(re.match(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$", created), f"created {created!r}")


def test_stopped(it):
    name = it.started(it.bundle("true"))
    it.rt.wait_status(name, "stopped")
    state = it.rt.state(name)
    equal(state.get("pid", 0), 0, "pid of a stopped container")
    it.rt("delete", name).ok()
    it.rt("state", name).fails("does not exist")


def test_start_twice(it):
    name = it.started()
    it.rt("start", name).fails()


def test_start_stopped(it):
    name = it.started(it.bundle("true"))
    it.rt.wait_status(name, "stopped")
    it.rt("start", name).fails()


def test_same_id_twice(it):
    it.create(it.bundle("true")).ok()
    it.create(it.bundle("true")).fails("exist")
    equal(it.rt.state(it.id())["status"], "created")


@each(word="TERM", prefixed="SIGTERM", number="15")
def test_kill_names(it, name):
    made = it.bundle(shell="trap 'exit 7' TERM; echo up; while :; do sleep 0.05; done")
    box = it.started(made)
    time.sleep(0.2)
    it.rt("kill", box, name).ok()
    it.rt.wait_status(box, "stopped")


def test_kill_default_is_term(it):
    box = it.started(it.bundle(shell="trap 'echo > /got; exit' TERM; while :; do sleep 0.05; done"))
    time.sleep(0.2)
    it.rt("kill", box).ok()
    it.rt.wait_status(box, "stopped")
    expect(os.path.exists(f"{it.folder}/b1/rootfs/got"), "TERM did not arrive")


def test_a_created_container_holds_no_pipe_of_the_caller(it):
    reader, writer = os.pipe()
    it.create(it.bundle("true"), pass_fds=(writer,)).ok()
    os.close(writer)
    ready, _, _ = select.select([reader], [], [], 5)
    expect(ready and os.read(reader, 1) == b"", "the pipe's other end is still open")
    os.close(reader)


def test_kill_created(it):
    it.create(it.bundle("true")).ok()
    it.rt("kill", it.id(), "KILL").ok()
    it.rt.wait_status(it.id(), "stopped")


@each(term="TERM", hup="HUP", int="INT", quit="QUIT")
def test_kill_created_by_an_ending_signal(it, name):
    it.create(it.bundle("true")).ok()
    it.rt("kill", it.id(), name).ok()
    it.rt.wait_status(it.id(), "stopped")
    it.rt("delete", it.id()).ok()


def test_a_program_gets_no_handlers_of_ours(it):
    """What ends init while it waits is the program's own business afterwards."""
    box = it.started(it.bundle(shell="grep SigCgt /proc/self/status > /seen; sleep 1000"))
    it.rt("kill", box, "TERM").ok()
    time.sleep(0.3)
    equal(it.rt.state(box)["status"], "running", "process 1 without a handler")
    with open(f"{it.folder}/b1/rootfs/seen", encoding="ascii") as handle:
        equal(handle.read().split()[1].strip("0"), "")


@only("langsbx")
def test_modes_of_state_files(it):
    """Also with a umask that takes nothing away: config and record may hold secrets."""
    made = it.bundle("true")
    made.config["annotations"] = {"io.langsbx.explain": "true"}
    it.create(made, umask=0).ok()
    seen = []
    for folder, folders, files in os.walk(f"{it.rt.root}/{it.id()}"):
        for name in [*folders, *files]:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            seen.append(name)
            expect(mode & 0o077 == 0, f"{path}: mode {mode & 0o7777:o}")
    for name in ("config.json", "state.json", "start.sock"):
        expect(name in seen, f"{name} is not among {seen}")


def test_kill_stopped(it):
    name = it.started(it.bundle("true"))
    it.rt.wait_status(name, "stopped")
    it.rt("kill", name, "KILL").fails("container not running")
    it.rt("kill", "--all", name, "KILL").ok()


def test_kill_unknown_signal(it):
    it.rt("kill", it.started(), "NOSUCH").fails("NOSUCH")


def test_kill_all_without_pid_namespace(it):
    made = it.bundle(shell="sleep 900 & sleep 901 & wait").without_namespace("pid")
    box = it.started(made)
    it.until("children", lambda: len(json.loads(it.rt("ps", "--format", "json", box).ok().out)) >= 3)
    pids = json.loads(it.rt("ps", "--format", "json", box).out)
    it.rt("kill", "--all", box, "KILL").ok()
    it.until("all to die", lambda: not any(alive(p) for p in pids))


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as handle:
            return ") Z " not in handle.read()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_delete_running_refused(it):
    box = it.started()
    it.rt("delete", box).fails("not stopped")
    equal(it.rt.state(box)["status"], "running")


def test_delete_force_running(it):
    box = it.started()
    pid = it.rt.state(box)["pid"]
    it.rt("delete", "--force", box).ok()
    expect(not alive(pid), "init lives on")
    it.rt("state", box).fails("does not exist")


def test_delete_created(it):
    it.create(it.bundle("true")).ok()
    it.rt("delete", it.id()).ok()


def test_delete_force_unknown(it):
    it.rt("delete", "--force", "nobody").ok()


def test_delete_unknown(it):
    it.rt("delete", "nobody").fails("does not exist")


def test_delete_force_paused(it):
    box = it.started()
    it.rt("pause", box).ok()
    it.rt("delete", "--force", box).ok()


def test_delete_nested_cgroups(it):
    made = it.bundle("sleep", "1000")
    box = it.started(made)
    inner = it.cgroup_dir("pids", made) + "/inner/deeper"
    os.makedirs(inner)
    it.rt("delete", "--force", box).ok()
    expect(not os.path.exists(inner), "the inner cgroup stays")


def test_pause_resume(it):
    made = it.bundle(shell="i=0; while :; do i=$((i+1)); echo $i > /n; sleep 0.02; done")
    box = it.started(made)
    it.until("a number", lambda: os.path.exists(made.rootfs + "/n"))
    it.rt("pause", box).ok()
    equal(it.rt.state(box)["status"], "paused")
    with open(made.rootfs + "/n", encoding="ascii") as handle:
        before = handle.read()
    time.sleep(0.2)
    with open(made.rootfs + "/n", encoding="ascii") as handle:
        equal(handle.read(), before, "counter of a paused container")
    it.rt("resume", box).ok()
    equal(it.rt.state(box)["status"], "running")


def test_resume_running(it):
    it.rt("resume", it.started()).fails("not paused")


def test_pause_before_start(it):
    """As with runc a container that waits for start can be paused, and says so."""
    if it.rt.name == "crun":
        raise Skip("crun says created")
    it.create(it.bundle("sleep", "1000")).ok()
    it.rt("pause", it.id()).ok()
    equal(it.rt.state(it.id())["status"], "paused")
    it.rt("resume", it.id()).ok()
    equal(it.rt.state(it.id())["status"], "created")


def test_exec_paused(it):
    box = it.started()
    it.rt("pause", box).ok()
    it.rt("exec", box, "true").fails("paused")


def test_kill_paused(it):
    box = it.started()
    it.rt("pause", box).ok()
    it.rt("kill", box, "KILL").ok()
    it.rt("resume", box)
    it.rt.wait_status(box, "stopped")


def test_list(it):
    first = it.started(suffix="one")
    it.create(it.bundle("true"), suffix="two").ok()
    rows = json.loads(it.rt("list", "--format", "json").ok().out)
    equal({r["id"]: r["status"] for r in rows}, {first: "running", it.id("two"): "created"})
    equal(sorted(it.rt("list", "-q").ok().out.split()), sorted([first, it.id("two")]))
    lines = it.rt("list").ok().out.splitlines()
    equal(lines[0].split(), ["ID", "PID", "STATUS", "BUNDLE", "CREATED", "OWNER"], "header")
    equal(len(lines), 3, "lines")
    row = [l.split() for l in lines if l.startswith(first)][0]
    equal(row[2], "running")
    expect(row[1].isdigit() and row[5] == "root", f"row {row}")


def test_list_of_nothing(it):
    os.makedirs(it.rt.root)
    expect(it.rt("list", "--format", "json").ok().out.strip() in ("null", "[]"), "an empty list")


def test_stdin(it):
    equal(it.run(it.bundle("cat"), stdin="abc").ok().out, "abc")


def test_stderr(it):
    result = it.run(it.bundle(shell="echo out; echo err >&2")).ok()
    equal((result.out, result.err), ("out\n", "err\n"))


def test_relative_bundle(it):
    made = it.bundle("echo", "here").write()
    result = it.rt("run", it.id(), cwd=made.path).ok()
    equal(result.out, "here\n")


def test_pid_file_before_start(it):
    it.create(it.bundle("true"), "--pid-file", f"{it.folder}/pid").ok()
    with open(f"{it.folder}/pid", encoding="ascii") as handle:
        text = handle.read()
    equal(text, str(it.rt.state(it.id())["pid"]), "pid file")


def test_signal_forwarding(it):
    made = it.bundle(shell="trap 'echo got; exit 5' USR1; echo up; while :; do sleep 0.05; done").write()
    with open(f"{it.folder}/log", "w+", encoding="ascii") as log:
        child = it.spawn("run", "--bundle", made.path, it.id(), stdout=log)
        it.until("the program", lambda: "up" in open(log.name, encoding="ascii").read())
        child.send_signal(signal.SIGUSR1)
        equal(child.wait(10), 5, "exit code")
        contains(open(log.name, encoding="ascii").read(), "got")


def test_keep(it):
    it.run(it.bundle("true"), "--keep").ok()
    equal(it.rt.state(it.id())["status"], "stopped")


def test_empty_root_directory_is_made(it):
    it.rt.root = f"{it.folder}/deep/er"
    it.sh("true")
