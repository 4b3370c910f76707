"""hooks: six kinds, when, where, with what on stdin, in which environment, and what failing does."""
import json
import os
import time

from harness.case import contains, each, equal, expect, only, Skip

KINDS = ("prestart", "createRuntime", "createContainer", "startContainer", "poststart", "poststop")
HOST_KINDS = {"prestart": "prestart", "createRuntime": "createRuntime", "createContainer": "createContainer",
              "poststart": "poststart", "poststop": "poststop"}


def script(it, name, text):
    path = f"{it.folder}/{name}"
    with open(path, "w", encoding="ascii") as handle:
        handle.write("#!/bin/sh\n" + text)
    os.chmod(path, 0o755)
    return path


def through(it, made):
    it.create(made).ok()
    it.rt("start", it.id()).ok()
    it.rt.wait_status(it.id(), "stopped")
    it.rt("delete", it.id()).ok()


@only("langsbx")
def test_same_working_directory(it):
    made = it.bundle("true")
    for kind in ("createRuntime", "createContainer"):
        made.hook(kind, script(it, kind, f"pwd > {it.folder}/{kind}.out\n"))
    it.run(made).ok()
    found = [open(f"{it.folder}/{kind}.out", encoding="utf-8").read() for kind in ("createRuntime", "createContainer")]
    equal(found[1], found[0])


@each(**HOST_KINDS)
def test_state_on_stdin(it, kind):
    out = f"{it.folder}/state.json"
    hook = script(it, "hook", f"cat > {out}.new && mv {out}.new {out}\n")
    made = it.bundle(shell="sleep 0.3").hook(kind, hook)
    made.config["annotations"] = {"x": "y/z"}
    through(it, made)
    with open(out, encoding="utf-8") as handle:
        text = handle.read()
    state = json.loads(text)
    wanted = {"prestart": "creating", "createRuntime": "creating", "createContainer": "creating",
              "poststart": "running", "poststop": "stopped"}[kind]
    if it.rt.name != "langsbx" and state["status"] != wanted:
        raise Skip(f"{it.rt.name} says {state['status']}")
    equal((state["id"], state["bundle"], state["status"]), (it.id(), made.path, wanted))
    equal(state["annotations"]["x"], "y/z")
    expect("\\/" not in text, "slashes are escaped")
    if kind != "poststop":
        expect(state["pid"] > 0, "no pid")


def test_poststart_knows_the_pid_of_a_program_that_ended(it):
    out = f"{it.folder}/states"
    made = it.bundle("true").hook("poststart", script(it, "hook", f"cat >> {out}; echo >> {out}\n"))
    for _ in range(20):
        it.run(made).ok()
    with open(out, encoding="utf-8") as handle:
        states = [json.loads(line) for line in handle.read().split("\n") if line]
    equal([state["pid"] > 0 for state in states if "pid" in state], [True] * 20)


def test_start_container_hook(it):
    made = it.bundle("cat", "/order")
    made.file("/hook", "#!/bin/sh\ncat > /state\necho hook >> /order\n", 0o755).file("/order", "")
    made.hook("startContainer", "/hook")
    equal(it.run(made).ok().out, "hook\n")
    with open(made.rootfs + "/state", encoding="utf-8") as handle:
        equal(json.load(handle)["status"], "created")


def test_order(it):
    log = f"{it.folder}/log"
    made = it.bundle(shell="sleep 0.2")
    for kind in KINDS:
        if kind == "startContainer":
            continue
        for number in (1, 2):
            made.hook(kind, script(it, f"{kind}{number}", f"cat >/dev/null; echo {kind}{number} >> {log}\n"))
    through(it, made)
    with open(log, encoding="ascii") as handle:
        equal(handle.read().split(), [f"{k}{n}" for k in KINDS if k != "startContainer" for n in (1, 2)])


@each(prestart="prestart", createRuntime="createRuntime", createContainer="createContainer")
def test_failure_stops_create(it, kind):
    hook = script(it, "hook", "echo because >&2; exit 3\n")
    it.create(it.bundle("true").hook(kind, hook)).fails("hook", "exit status 3")
    it.rt("state", it.id()).fails("does not exist")


def test_failure_of_start_container(it):
    made = it.bundle(shell="echo ran > /ran").file("/hook", "#!/bin/sh\nexit 4\n", 0o755)
    made.hook("startContainer", "/hook")
    it.create(made).ok()
    it.rt("start", it.id())
    it.rt.wait_status(it.id(), "stopped")
    expect(not os.path.exists(made.rootfs + "/ran"), "the program ran all the same")


def test_failure_of_poststop_is_a_warning(it):
    made = it.bundle("true").hook("poststop", script(it, "hook", "exit 5\n"))
    through(it, made)
    it.rt("state", it.id()).fails("does not exist")


def test_failure_of_poststart(it):
    made = it.bundle("sleep", "1000").hook("poststart", script(it, "hook", "exit 5\n"))
    it.create(made).ok()
    it.rt("start", it.id()).fails("hook")


def test_timeout(it):
    made = it.bundle("true").hook("createRuntime", script(it, "hook", "exec sleep 60\n"), timeout=1)
    begin = time.monotonic()
    it.create(made).fails("hook")
    expect(time.monotonic() - begin < 10 * it.settings.slow, "the timeout did not act")


def test_timeout_refused_if_not_positive(it):
    made = it.bundle("true").hook("createRuntime", "/bin/true", timeout=0)
    result = it.create(made)
    if it.rt.name != "langsbx" and result.code == 0:
        raise Skip(f"{it.rt.name} takes 0")
    result.fails("timeout")


def test_args_and_env(it):
    out = f"{it.folder}/out"
    hook = script(it, "hook", f'cat > /dev/null; echo "$0 $1 $2" > {out}; env >> {out}\n')
    made = it.bundle("true").hook("createRuntime", hook, [hook, "one", "two words"], env=["A=b", "C=d e"])
    through(it, made)
    with open(out, encoding="ascii") as handle:
        text = handle.read()
    contains(text, "one two words")
    contains(text, "A=b\n")
    contains(text, "C=d e\n")


def test_stdin_not_read_is_fine(it):
    through(it, it.bundle("true").hook("createRuntime", "/bin/true"))


def test_missing_program(it):
    it.create(it.bundle("true").hook("createRuntime", "/no/hook")).fails("/no/hook")


def test_relative_path_refused(it):
    it.create(it.bundle("true").hook("createRuntime", "bin/true")).fails("hook")


def test_create_container_in_mount_namespace(it):
    out = f"{it.folder}/ns"
    hook = script(it, "hook", f"cat >/dev/null; readlink /proc/self/ns/mnt > {out}\n")
    through(it, it.bundle("true").hook("createContainer", hook))
    with open(out, encoding="ascii") as handle:
        expect(handle.read().strip() != os.readlink("/proc/self/ns/mnt"), "ran in the host's mount namespace")


@each(prestart="prestart", createRuntime="createRuntime")
def test_runtime_namespace(it, kind):
    out = f"{it.folder}/ns"
    hook = script(it, "hook", f"cat >/dev/null; for n in mnt pid net; do readlink /proc/self/ns/$n; done > {out}\n")
    through(it, it.bundle("true").hook(kind, hook))
    with open(out, encoding="ascii") as handle:
        equal(handle.read().split(), [os.readlink(f"/proc/self/ns/{n}") for n in ("mnt", "pid", "net")])


def test_hook_can_enter_namespaces(it):
    """What CNI plugins do: the state's pid leads to the container's network namespace."""
    out = f"{it.folder}/net"
    hook = script(it, "hook", "pid=$(sed 's/.*\"pid\": *\\([0-9]*\\).*/\\1/' | tail -1)\n"
                  f"readlink /proc/$pid/ns/net > {out}\n")
    made = it.bundle("readlink", "/proc/self/ns/net").hook("createRuntime", hook)
    inside = it.run(made).ok().out.strip()
    with open(out, encoding="ascii") as handle:
        equal(handle.read().strip(), inside)
