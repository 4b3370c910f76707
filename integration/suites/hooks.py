"""hooks: six kinds, when, where, with what on stdin, in which environment, and what failing does."""
import json
import os
import socket
import time

from harness.case import contains, each, equal, expect, needs, only, Skip
from suites.as_crun import call_it_crun

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


def surroundings(it, kind, value):
    """The working directory and an environment variable of the caller, as a hook without an env sees them."""
    out = f"{it.folder}/{kind}.out"
    made = it.bundle("true")
    made.hook(kind, script(it, kind, f"/bin/pwd > {out}; echo ${{FROM_CALLER:-none}} >> {out}\n"))
    made.write()
    it.rt("run", "--bundle", made.path, it.id(kind), cwd=it.folder, env={**os.environ, "FROM_CALLER": value}).ok()
    with open(out, encoding="utf-8") as handle:
        return made, handle.read().split()


@only("langsbx")
def test_surroundings_of_create_container(it):
    """As runc: in the container's root, with nothing of the caller's environment."""
    made, found = surroundings(it, "createContainer", "yes")
    equal(found, [made.rootfs, "none"])


@only("langsbx")
def test_surroundings_of_create_container_as_crun(it):
    call_it_crun(it)
    equal(surroundings(it, "createContainer", "yes")[1][1], "yes")
    equal(surroundings(it, "createContainer", "yes")[1][0], surroundings(it, "createRuntime", "yes")[1][0])


@only("langsbx")
def test_relative_names_of_create_container_are_in_the_root(it):
    """ldconfig hooks of engines write to ./etc."""
    made = it.bundle("cat", "/etc/made")
    made.hook("createContainer", script(it, "hook", "echo by the hook > ./etc/made\n"))
    equal(it.run(made).ok().out, "by the hook\n")


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


@each(no_new_privs=True, with_admin=False)
def test_start_container_hook_is_confined(it, no_new_privileges):
    """Its program is the image's: it runs under no_new_privs and the container's seccomp profile, as the program will."""
    made = it.bundle("cat", "/tmp/seen")
    made.process["noNewPrivileges"] = no_new_privileges
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "architectures": ["SCMP_ARCH_X86_64"],
                             "syscalls": [{"names": ["mkdir", "mkdirat"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38}]}
    made.file("/hook", "#!/bin/sh\ngrep -E '^(NoNewPrivs|Seccomp):' /proc/self/status > /tmp/seen\n"
              "mkdir /tmp/folder 2>> /tmp/seen || true\n", 0o755).hook("startContainer", "/hook")
    out = it.run(made).ok().out
    contains(out, f"NoNewPrivs:\t{int(no_new_privileges)}\nSeccomp:\t2")
    contains(out, "not implemented")


@only("langsbx")
@needs("landlock:2")
def test_start_container_hook_has_the_containers_layer_only(it):
    """Landlock's broad layer holds for it; the tight one and its limits are the program's."""
    made = it.bundle(shell="cat /srv/seen; cat /srv/secret")
    made.file("/srv/seen", "").file("/srv/secret", "hush\n")
    made.file("/hook", "#!/bin/sh\ncat /srv/secret > /srv/seen\nmknod /srv/null c 1 3 2>> /srv/seen || true\n", 0o755)
    made.hook("startContainer", "/hook")
    made.config["annotations"] = {"io.langsbx.landlock.read": "/srv/seen,/proc", "io.langsbx.landlock.execute": "/bin"}
    result = it.run(made)
    contains(result.out, "hush\nmknod: /srv/null: Permission denied")
    contains(result.err, "can't open '/srv/secret': Permission denied")
    expect(not os.path.exists(made.rootfs + "/srv/null"), "made a device node")


@only("langsbx")
def test_start_container_hook_asks_no_agent(it):
    """There is one listener, which the program has: what the profile would ask the agent about fails in a hook."""
    made = it.bundle("cat", "/seen").file("/seen", "")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as agent:
        agent.bind(f"{it.folder}/agent")
        agent.listen()
        made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "listenerPath": f"{it.folder}/agent",
                                 "syscalls": [{"names": ["mkdir", "mkdirat"], "action": "SCMP_ACT_NOTIFY"}]}
        made.file("/hook", "#!/bin/sh\nmkdir /folder 2> /seen || true\n", 0o755).hook("startContainer", "/hook")
        contains(it.run(made).ok().out, "not implemented")
    expect(not os.path.exists(made.rootfs + "/folder"), "made without an answer")


@only("langsbx")
def test_start_container_hook_that_can_not_be_confined_does_not_run(it):
    """A profile's filter that does not load: neither the hook nor the program runs."""
    made = it.bundle("touch", "/ran").file("/hook", "#!/bin/sh\ntouch /hooked\n", 0o755).hook("startContainer", "/hook")
    made.process["noNewPrivileges"] = True
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "architectures": ["SCMP_ARCH_X86_64"]}
    made.write()
    words = it.rt.argv("run", "--bundle", made.path, it.id())
    it.rt(argv=[it.probe("refuse_filters"), *words]).fails("startContainer hook #0", "seccomp linux.seccomp: ")
    expect(not os.path.exists(made.rootfs + "/hooked"), "the hook ran without its filter")
    expect(not os.path.exists(made.rootfs + "/ran"), "the program ran")


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


@each(prestart="prestart", createRuntime="createRuntime", createContainer="createContainer")
def test_a_hook_that_is_killed_has_failed(it, kind):
    """By a signal: neither an exit status nor success."""
    made = it.bundle(shell="echo > /ran").hook(kind, "/bin/sh", ["sh", "-c", "kill -KILL $$"])
    it.create(made).fails()
    it.rt("state", it.id()).fails("does not exist")


@each(startContainer="startContainer", poststart="poststart")
def test_a_later_hook_that_is_killed_has_failed(it, kind):
    made = it.bundle("sleep", "1000").hook(kind, "/bin/sh", ["sh", "-c", "kill -KILL $$"])
    it.create(made).ok()
    it.rt("start", it.id()).fails()


LOGS = {"stdout": "run.oci.hooks.stdout", "stderr": "run.oci.hooks.stderr"}


@only("langsbx")
@each(**LOGS)
def test_no_file_without_hooks(it, name):
    made = it.bundle("true")
    made.config["annotations"] = {name: f"{it.folder}/made"}
    through(it, made)
    it.run(made, suffix="d").ok()
    expect(not os.path.exists(f"{it.folder}/made"), "a file was made for hooks that there are not")


@only("langsbx")
@each(**LOGS)
def test_output_of_hooks_goes_to_a_plain_file(it, name):
    """Neither through a link nor into a pipe, whose reader would hold us up."""
    made = it.bundle("true").hook("createRuntime", "/bin/sh", ["sh", "-c", "echo text"])
    os.symlink(f"{it.folder}/elsewhere", f"{it.folder}/link")
    made.config["annotations"] = {name: f"{it.folder}/link"}
    it.create(made).fails(name)
    expect(not os.path.exists(f"{it.folder}/elsewhere"), "the link was followed")
    os.mkfifo(f"{it.folder}/pipe")
    made.config["annotations"] = {name: f"{it.folder}/pipe"}
    it.create(made, suffix="d").fails(name)
    reader = os.open(f"{it.folder}/pipe", os.O_RDONLY | os.O_NONBLOCK)
    it.create(made, suffix="e").fails("not a regular file")
    os.close(reader)
    made.config["annotations"] = {name: "/dev/null"}
    it.create(made, suffix="f").fails("not a regular file")


@only("langsbx")
def test_a_file_only_later_hooks_write(it):
    made = it.bundle("true").hook("poststop", "/bin/sh", ["sh", "-c", "echo text"])
    made.config["annotations"] = {LOGS["stdout"]: f"{it.folder}/made"}
    it.create(made).ok()
    it.rt("start", it.id()).ok()
    it.rt.wait_status(it.id(), "stopped")
    expect(not os.path.exists(f"{it.folder}/made"), "made before the hook runs")
    it.rt("delete", it.id()).ok()
    with open(f"{it.folder}/made", encoding="ascii") as handle:
        equal(handle.read(), "text\n")


def test_names_in_any_case(it):
    """As Go reads config.json; start and delete read it anew."""
    out = f"{it.folder}/ran"
    made = it.bundle("true")
    made.config["hooks"] = {name: [{"path": script(it, name, f"echo {name} >> {out}\n")}]
                            for name in ("PreStart", "CREATERUNTIME", "PostStart", "POSTSTOP")}
    through(it, made)
    with open(out, encoding="ascii") as handle:
        equal(handle.read().split(), ["PreStart", "CREATERUNTIME", "PostStart", "POSTSTOP"])
