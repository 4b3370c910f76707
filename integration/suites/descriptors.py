"""What the caller left open: no command hands it to a program that it starts, unless it was asked to."""
import json
import os
import re
import subprocess
import sys
import time

from harness.case import each, equal, expect, needs, only, slow
from suites.as_crun import call_it_crun

NUMBERS = range(3, 21)
# A folder, a socket, a file for writing, a pipe, and files: all without close-on-exec.
OPEN = """
import os, socket, sys
one, two = socket.socketpair()
reader, writer = os.pipe()
for number, source in enumerate([os.open("/", os.O_RDONLY | os.O_DIRECTORY), one.fileno(), os.open("/dev/null", os.O_WRONLY), reader, writer,
                                 *[os.open("/etc/hostname", os.O_RDONLY) for _ in range(13)]], 40):
    os.dup2(source, number)
for number in range(3, 21):
    os.dup2(number + 37, number)
os.closerange(21, 100)
os.execvp(sys.argv[1], sys.argv[1:])
"""
PROBE = """
import os
for number in range(3, 21):
    try:
        os.fstat(number)
        print("open:", number)
    except OSError as error:
        if error.errno != 9:
            print(number, error)
print("looked")
"""
# Bash asks fstat(2) about these names; where it redirects, it keeps copies at 10 and above.
SHELL_PROBE = "for i in {3..20}; do if [ -e /dev/fd/$i ]; then echo open: $i >> seen; fi; done; echo looked >> seen"
OBSERVE = ("name: open\nlanguage: {}\ndescription: Everything passes.\ncapabilities:\n  allow: [threads]\n"
           "seccomp: {}\nnetwork: none\nstages: {{guard: observe}}\n")
USER = ["setpriv", "--reuid=12345", "--regid=12345", "--clear-groups", "--inh-caps=-all"]


def with_open(argv):
    return [sys.executable, "-c", OPEN, *argv]


def write(it, name, text, mode=0o644):
    path = f"{it.folder}/{name}"
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(text)
    os.chmod(path, mode)
    return path


def execute(it, *words, who=(), **more):
    argv = [*who, it.rt.path, "--root", f"{it.folder}/execute-state", "execute", *words]
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": "/tmp"}
    return it.rt(argv=with_open(argv), timeout=60, env=env, cwd="/tmp", **more)


@only("langsbx")
@needs("landlock:1")
@each(container=("container", ()), container_user=("container", USER), light=("light", ()), light_user=("light", USER), off=("off", ()))
@slow(60)
def test_execute(it, how):
    tier, who = how
    os.chmod(it.folder, 0o755)
    path = write(it, "main.py", PROBE)
    made = execute(it, "--isolation", tier, "--profile", write(it, "open.yaml", OBSERVE.format("python", "python")), path, who=who).ok()
    equal(made.out, "looked\n", made.err[-300:])


@only("langsbx")
@needs("landlock:1")
@each(container="container", light="light")
@slow(60)
def test_setup(it, tier):
    path = write(it, "main.py", "print(open('seen').read(), end='')\n")
    made = execute(it, "--isolation", tier, "--setup", SHELL_PROBE, path).ok()
    equal(made.out, "looked\n", made.err[-300:])


def names_of(pid):
    names = []
    for entry in os.scandir(f"/proc/{pid}/fd"):
        try:
            names.append(os.readlink(entry.path))
        except OSError:
            continue
    return names


def compiler():
    """The descriptors of a compiler that runs now."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as handle:
                words = handle.read().split("\0")
            # Of several helpers of other runs, this one's: it compiles a file of ours.
            if words[0].endswith("/cc1plus") and any(word.endswith("descriptors_probe.cpp") for word in words):
                return names_of(pid)
        except OSError:
            continue
    return None


@only("langsbx")
@needs("root", "landlock:1")
@each(container="container", light="light")
@slow(60)
def test_compilers(it, tier):
    path = write(it, "descriptors_probe.cpp", "#include <regex>\n#include <iostream>\nint main() { std::cout << std::regex_match(\"a\", std::regex(\"a\")); }\n")
    argv = with_open([it.rt.path, "--root", f"{it.folder}/execute-state", "execute", "--no-cache", "--isolation", tier, path])
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as call:
        seen = None
        while seen is None and call.poll() is None:
            seen = compiler()
            time.sleep(0.002)
        out = call.communicate()[0]
    expect(seen is not None, f"no compiler was seen: {out[-300:]!r}")
    leaked = [name for name in seen if name in ("/", "/etc/hostname") or name.startswith("socket:")]
    equal(leaked, [], "the caller's, open in the compiler")


def caller(it, *words):
    return it.rt(argv=with_open(it.rt.argv(*words)))


def test_run(it):
    made = it.bundle("ls", "-1", "/proc/self/fd")
    made.write()
    out = caller(it, "run", "--bundle", made.path, it.id()).ok().out
    equal(re.findall(r"^\d+$", out, re.M), ["0", "1", "2", "3"])


def test_create_start_exec(it):
    made = it.bundle(shell="ls -1 /proc/self/fd > /seen; sleep 1000")
    made.write()
    caller(it, "create", "--bundle", made.path, it.id()).ok()
    caller(it, "start", it.id()).ok()
    it.until("the program", lambda: os.path.exists(made.rootfs + "/seen") and os.path.getsize(made.rootfs + "/seen") > 0)
    with open(made.rootfs + "/seen", encoding="ascii") as handle:
        equal(handle.read().split(), ["0", "1", "2", "3"])
    out = caller(it, "exec", it.id(), "ls", "-1", "/proc/self/fd").ok().out
    equal(re.findall(r"^\d+$", out, re.M), ["0", "1", "2", "3"])


ENFORCE = {"io.langsbx.guard": "enforce", "io.langsbx.profile": "default"}
# Each with its reason: what init reads back after `start`, and where it is told to.
HELD = {"proc": "labels and ids are read back through the host's procfs", "start.sock": "start connects to it",
        "own root": "Landlock's rules are about it"}


def held_by_init(it):
    """What a created container's init has open beside its streams."""
    state = it.rt.state(it.id())
    equal(state["status"], "created")
    names = []
    for entry in os.scandir(f"/proc/{state['pid']}/fd"):
        if int(entry.name) < 3:
            continue
        name = os.readlink(entry.path)
        inode = os.stat(entry.path).st_ino
        if name == "/proc" and inode == os.stat("/proc").st_ino:
            name = "proc"
        elif name == "/" and os.path.samestat(os.stat(entry.path), os.stat(f"{state['bundle']}/rootfs")):
            name = "own root"
        elif name.startswith("socket:"):
            with open("/proc/net/unix", encoding="utf-8") as handle:
                listening = [line for line in handle if f" {inode} " in line and line.split()[3] == "00010000"]
            name = "start.sock" if listening and listening[0].rstrip().endswith("/start.sock") else name
        names.append(name)
    return sorted(names)


def plain(made):
    made.args("sleep", "1000")


def observed(made):
    made.file("/main.sh", "sleep 1000\n").args("sh", "/main.sh")


def judged(made):
    observed(made)
    made.config["annotations"] = ENFORCE


def judged_user(made):
    judged(made)
    made.user_namespace()


def judged_few_files(made):
    judged(made)
    made.process["rlimits"] = [{"type": "RLIMIT_NOFILE", "soft": 40, "hard": 40}]


def hooked(made):
    plain(made)
    for kind in ("createRuntime", "createContainer", "startContainer"):
        made.hook(kind, "/bin/true")


@only("langsbx")
@needs("root", "landlock:6")
@each(plain=plain, observed=observed, judged=judged, judged_user_namespace=judged_user, judged_few_files=judged_few_files, hooks=hooked)
def test_held_while_waiting_for_start(it, prepare):
    """A container may wait for days: nothing of the host's is open in it meanwhile but what is named, and the verdict is written all the same."""
    made = it.bundle()
    prepare(made)
    made.write()
    caller(it, "create", "--bundle", made.path, it.id()).ok()
    held = held_by_init(it)
    equal([name for name in held if name not in HELD], [])
    equal(len(held), len(set(held)), f"descriptors: {held}")
    it.rt("start", it.id()).ok()
    it.rt.wait_status(it.id(), "running")
    if "sh" in made.process["args"]:
        with open(f"{it.rt.root}/{it.id()}/guard.jsonl", encoding="utf-8") as handle:
            equal([json.loads(line)["verdict"] for line in handle], ["clean"])


@only("langsbx")
@needs("root", "landlock:6")
def test_verdict_that_can_not_be_handed_over(it):
    """guard.jsonl is gone when `start` looks for it: the program does not start."""
    made = it.bundle()
    judged(made)
    made.file("/main.sh", "touch ran\n")
    it.create(made).ok()
    os.unlink(f"{it.rt.root}/{it.id()}/guard.jsonl")
    it.rt("start", it.id()).fails("guard.jsonl", "no such file")
    it.rt.wait_status(it.id(), "stopped")
    expect(not os.path.exists(f"{made.rootfs}/ran"), "the program ran")


def test_hooks(it):
    made = it.bundle("true")
    hook = write(it, "hook", f"#!/bin/sh\nls -l /proc/self/fd > {it.folder}/seen-$1\n", 0o755)
    kinds = ("prestart", "createRuntime", "poststart", "poststop")
    made.config["hooks"] = {kind: [{"path": hook, "args": ["hook", kind]}] for kind in kinds}
    made.write()
    caller(it, "create", "--bundle", made.path, it.id()).ok()
    caller(it, "start", it.id()).ok()
    it.rt.wait_status(it.id(), "stopped")
    caller(it, "delete", it.id()).ok()
    for kind in kinds:
        with open(f"{it.folder}/seen-{kind}", encoding="utf-8") as handle:
            text = handle.read()
        expect("/etc/hostname" not in text and "socket:" not in text, f"{kind}: {text}")


@only("langsbx")
def test_a_named_descriptor_is_still_read(it):
    """`execute <(generate)`: marked is not closed."""
    reader, writer = os.pipe()
    os.write(writer, b"print('by number')\n")
    os.close(writer)
    made = it.rt("execute", "--language", "python", f"/dev/fd/{reader}", pass_fds=(reader,), timeout=60).ok()
    os.close(reader)
    equal(made.out, "by number\n")


def numbers_closed_again(folder):
    """What was closed while nothing was open there, of all processes of one run: told by close, or seen by who follows the numbers."""
    wrong, seen = [], 0
    for name in os.listdir(folder):
        with open(f"{folder}/{name}", encoding="utf-8", errors="replace") as handle:
            lines = handle.readlines()
        closed = set()
        for line in lines:
            if line.startswith("execve("):
                break
            call = re.match(r"close(?:_range)?\((\d+)(?:, (\d+), 0)?\) += (0|-1)", line)
            if call is None:
                # Opened anew: what a call gives, in its result or in a list.
                closed -= {int(number) for number in re.findall(r"(?:= |[\[, ])(\d+)(?=[\], \n])", line)}
                continue
            first, last = int(call[1]), int(call[2] or call[1])
            if last - first > 1000:
                continue
            again = [number for number in range(first, last + 1) if number in closed or call[3] == "-1"]
            wrong += [f"{line.strip()}: {again}"] if again else []
            closed.update(range(first, last + 1))
            seen += 1
    expect(seen > 5, f"strace saw {seen} closings")
    return wrong


def with_sources(it, options, program="true"):
    """Binds whose sources the parent opens, one that it can't open yet, and what the program is."""
    source = f"{it.folder}/source"
    os.makedirs(f"{source}/sub")
    made = it.bundle(program).user_namespace()
    subprocess.run(["chown", "-hR", "100000:100000", made.rootfs, source], check=True)
    made.mount("/outer", "bind", source, "bind")
    made.mount("/outer/sub", "bind", source, "bind")
    return made.mount("/late", "bind", f"{made.rootfs}/outer", "bind", *options)


def under_strace(it, *words):
    log = f"{it.folder}/strace"
    os.mkdir(log)
    return log, ["strace", "-ff", "-qq", "-o", f"{log}/of", *it.rt.argv(*words)]


@only("langsbx")
@needs("program:strace", "root")
@each(bound=([], "true"), mapped=(["idmap"], "true"), no_program=(["idmap"], "/nope"), no_place=(["idmap"], None), over_the_root=([], "/"))
def test_no_source_is_closed_twice(it, row):
    """Whose number it is by then, is not ours to close: sources of mounts are the parent's and, for a time, init's. In failures, too."""
    options, program = row
    made = with_sources(it, options, "/nope" if program == "/nope" else "true")
    if program is None:
        made.mount("/more", "bind", f"{made.rootfs}/outer/nothing", "bind", *options)
    if program == "/":
        call_it_crun(it)
        made.config["mounts"].insert(0, {"destination": "/", "type": "bind", "source": made.rootfs, "options": ["rbind"]})
    made.write()
    log, argv = under_strace(it, "run", "--bundle", made.path, it.id())
    result = it.rt(argv=argv)
    expect((result.code == 0) == (program in ("true", "/")), result.text)
    equal(numbers_closed_again(log), [])


@only("langsbx")
@needs("program:strace", "root")
@each(limited=[{"type": "RLIMIT_NOFILE", "soft": 64, "hard": 64}], unlimited=[])
def test_no_source_is_closed_twice_by_who_waits_for_start(it, rlimits):
    """A limit of open files closes them before the wait, which closes them otherwise."""
    made = with_sources(it, ["idmap"])
    made.process["rlimits"] = rlimits
    made.write()
    log, argv = under_strace(it, "create", "--bundle", made.path, it.id())
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as created:
        it.until("the container", lambda: it.rt("state", it.id()).code == 0 and it.rt.state(it.id())["status"] == "created", 20)
        it.rt("start", it.id()).ok()
        equal(created.wait(timeout=20 * it.settings.slow), 0)
    equal(numbers_closed_again(log), [])
