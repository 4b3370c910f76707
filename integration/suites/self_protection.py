"""The runtime's own binary and its processes that join, attacked from inside: CVE-2019-5736, CVE-2016-9962."""
import os
import shutil
import subprocess

from harness.case import contains, each, equal, expect, only, slow
from suites.rootless import USER, Rootless

OFF = {"io.langsbx.landlock": "off"}
EVIL = ("/bin/evil", "run", "--bundle", "/b", "x")


def read(path):
    with open(path, "rb") as handle:
        return handle.read()


def own_copy(it):
    """The attack is on a copy of the binary: if it gets through, the rest of the suite goes on."""
    path = f"{it.folder}/{os.path.basename(it.rt.path)}"
    shutil.copy(it.rt.path, path)
    os.chmod(path, 0o755)
    it.rt.path = path
    return read(path)


def stage(it, kind, annotations):
    """A bundle with the intruder, and an entry that is the runtime's binary and blocks on a pipe for its config."""
    made = it.bundle()
    it.add_probe(made, "intruder")
    for name in ("b", "shared"):
        os.mkdir(f"{made.rootfs}/{name}")
    os.chmod(f"{made.rootfs}/shared", 0o777)
    os.mkfifo(f"{made.rootfs}/b/config.json")
    if kind == "shebang":
        made.file("/bin/evil", "#!/proc/self/exe run\n", 0o755)  # becomes `run /bin/evil`, with / as its bundle
        os.link(f"{made.rootfs}/b/config.json", f"{made.rootfs}/config.json")
    else:
        os.symlink("/proc/self/exe", made.rootfs + "/bin/evil")
    if annotations:
        made.config["annotations"] = dict(annotations)
    return made


def fed(path):
    """Whether somebody read from the pipe."""
    try:
        pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return False
    os.write(pipe, b"none")
    os.close(pipe)
    return True


def attack(it, rootfs, background):
    """Lets the intruder take hold of what runs, ends that, and lets it write; what the intruder says."""
    shared = f"{rootfs}/shared"
    it.until("the entry to be held, or refused",
             lambda: os.path.exists(f"{shared}/held") or background.poll() is not None, 30)
    if not os.path.exists(f"{shared}/held"):
        open(f"{shared}/stop", "w", encoding="ascii").close()
        return "never held"
    it.until("the entry to read its config, or to end", lambda: fed(f"{rootfs}/b/config.json") or background.poll() is not None, 30)
    background.wait(30 * it.settings.slow)
    open(f"{shared}/go", "w", encoding="ascii").close()
    it.until("the intruder's answer", lambda: os.path.exists(f"{shared}/result"), 30)
    with open(f"{shared}/result", encoding="utf-8") as handle:
        return handle.read()


@each(link_landlock=("link", {}), link=("link", OFF), shebang=("shebang", OFF), flag_of_create=("link", None))
@slow(90)
def test_exec_does_not_expose_the_binary(it, variant):
    """CVE-2019-5736: a program of exec that is /proc/self/exe runs the runtime's binary; nobody can write it then."""
    kind, annotations = variant
    before = own_copy(it)
    made = stage(it, kind, annotations).args("intruder", "hold", "/shared")
    flags = list(it.rt.globals)
    if annotations is None:
        it.rt.globals += ["--landlock", "off"]  # which exec does not say again
    box = it.started(made)
    it.rt.globals = flags
    words = EVIL if kind == "link" else ("/bin/evil",)
    entry = it.spawn("exec", box, *words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    answer = attack(it, made.rootfs, entry)
    expect(read(it.rt.path) == before, f"the runtime's binary was written: {answer}")
    expect("overwritten" not in answer, answer)


@each(create_landlock={}, create=OFF)
@slow(90)
def test_create_does_not_expose_the_binary(it, annotations):
    """The same for the first program of a container, seen from another container with the same pid namespace."""
    before = own_copy(it)
    made = stage(it, "link", OFF).args("intruder", "hold", "/shared")
    it.started(made, suffix="watcher")
    pid = it.rt.state(it.id("watcher"))["pid"]
    entry = stage(it, "link", annotations).args(*EVIL)
    entry.namespace("pid", f"/proc/{pid}/ns/pid")
    os.unlink(f"{entry.rootfs}/b/config.json")
    os.link(f"{made.rootfs}/b/config.json", f"{entry.rootfs}/b/config.json")
    entry.write()
    run = it.spawn("run", "--bundle", entry.path, it.id("entry"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    answer = attack(it, made.rootfs, run)
    expect(read(it.rt.path) == before, f"the runtime's binary was written: {answer}")
    expect("overwritten" not in answer, answer)


@only("langsbx")
@each(root=False, owner=True)
def test_runs_from_a_protected_twin(it, rootless):
    """Without Landlock: root executes a read-only clone of the binary's mount, a user who owns the binary a sealed copy."""
    own_copy(it)
    if rootless:
        user = Rootless(it)
        os.chown(it.rt.path, USER, USER)
        user.bundle.config["annotations"] = dict(OFF)
        user.bundle.args("/proc/self/exe", "--version")
        result = user("run", "--bundle", user.bundle.path, it.id())
        contains(result.ok().out, "version")
        return
    made = it.bundle("/proc/self/exe", "--version")
    made.config["annotations"] = dict(OFF)
    contains(it.run(made).ok().out, "version")
    # A pipe for a config can't be read twice, and need not be.
    made.write()
    reader, writer = os.pipe()
    os.write(writer, read(f"{made.path}/config.json"))
    os.close(writer)
    result = it.rt("--config", f"/proc/self/fd/{reader}", "run", "--bundle", made.path, it.id("pipe"), pass_fds=(reader,))
    os.close(reader)
    contains(result.ok().out, "version")


@only("langsbx")
def test_protection_keeps_descriptors_and_names(it):
    """Executing itself anew must not lose what the caller handed over."""
    made = it.bundle("sh", "-c", "cat <&3; env")
    made.config["annotations"] = dict(OFF)
    reader, writer = os.pipe()
    os.write(writer, b"handed over\n")
    os.close(writer)
    made.write()
    call = it.rt.argv("run", "--preserve-fds", "1", "--bundle", made.path, it.id())
    result = it.rt(argv=["bash", "-c", f'exec 3<&{reader}; exec "$@"', "bash", *call], pass_fds=(reader,)).ok()
    contains(result.out, "handed over")
    expect("LANGSBX_BINARY" not in result.out, "a variable of ours is in the container")


@each(landlock={}, off=OFF)
@slow(120)
def test_exec_not_ptraceable(it, annotations):
    """CVE-2016-9962: a process that joins can't be traced by the container, not even right after its birth."""
    made = it.bundle()
    it.add_probe(made, "intruder")
    os.mkdir(f"{made.rootfs}/shared")
    if annotations:
        made.config["annotations"] = dict(annotations)
    made.args("intruder", "trace", "/shared")
    box = it.started(made)
    shared = f"{made.rootfs}/shared"
    it.until("the tracer", lambda: os.path.exists(f"{shared}/ready"))
    for _ in range(20):
        it.rt("exec", box, "true").ok()
    open(f"{shared}/stop", "w", encoding="ascii").close()
    it.until("the tracer's count", lambda: os.path.exists(f"{shared}/caught"), 30)
    with open(f"{shared}/caught", encoding="ascii") as handle:
        caught = handle.read().split()
    equal(caught[0], "0", f"of {caught} the joining processes that were traced while they ran the runtime's code")
