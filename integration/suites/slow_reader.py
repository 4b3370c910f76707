"""Whoever does not read holds nobody: limits, signals and the end of a run are as they would be otherwise."""
import fcntl
import os
import signal
import subprocess
import time

from harness.case import contains, each, equal, expect, needs, only, slow

OBSERVE = ("name: open\nlanguage: python\ndescription: Everything passes.\ncapabilities:\n  allow: [threads]\n"
           "seccomp: python\nnetwork: none\nstages: {guard: observe}\n")
# More than all pipes on the way hold.
FLOOD = "import os, sys, time\nfor i in range(100):\n    sys.stderr.write('x' * 4000)\nsys.stderr.flush()\n"
# Each child stays below the limit of one process; only who counts them all sees that it is passed.
SPIN = """import os, sys, time
for i in range(25):
    sys.stderr.write('x' * 4000)
sys.stderr.flush()
while True:
    if os.fork() == 0:
        end = time.process_time() + 0.6
        while time.process_time() < end:
            pass
        os._exit(0)
    os.wait()
"""
GREEDY = """import os, time
for i in range(25):
    os.write(2, b'x' * 4000)
time.sleep(0.3)
for i in range(5):
    if os.fork() == 0:
        break
kept = bytearray(100 * 1000 * 1000)
for i in range(0, len(kept), 4096):
    kept[i] = 1
time.sleep(600)
"""
USER = ["setpriv", "--reuid=12345", "--regid=12345", "--clear-groups", "--inh-caps=-all"]


def write(it, name, text):
    path = f"{it.folder}/{name}"
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(text)
    return path


def start(it, code, *options, who=(), **more):
    os.chmod(it.folder, 0o755)
    argv = [*who, it.rt.path, "--root", "/tmp/none" if who else f"{it.folder}/execute-state", "execute",
            "--profile", write(it, "open.yaml", OBSERVE), *options, write(it, "main.py", code)]
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": "/tmp"}
    return subprocess.Popen(argv, **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": env, **more})


def events(it):
    """A file that any user may append to."""
    path = f"{it.folder}/events.jsonl"
    with open(path, "a", encoding="utf-8"):
        os.chmod(path, 0o666)
    return path


def ends_in(it, call, seconds, what):
    """Without a reader."""
    try:
        call.wait(seconds * it.settings.slow)
    except subprocess.TimeoutExpired:
        children = subprocess.run(["ps", "--ppid", str(call.pid), "-o", "pid,cmd"], capture_output=True, text=True, check=False).stdout
        call.kill()
        call.communicate()
        expect(False, f"{what}: still there after {seconds} s: {children}")


TIERS = {"container": ("container", ()), "light": ("light", ()), "container_user": ("container", USER), "light_user": ("light", USER)}


@only("langsbx")
@needs("landlock:6")
@each(**TIERS)
@slow(60)
def test_wall_time(it, where):
    call = start(it, FLOOD + "time.sleep(600)\n", "--timeout", "1s", "--isolation", where[0], who=where[1])
    ends_in(it, call, 8, "--timeout 1s")
    equal(call.returncode, 124)
    call.communicate()


@only("langsbx")
@needs("landlock:6")
@each(**TIERS)
@slow(60)
def test_processor_time(it, where):
    call = start(it, SPIN, "--cpu-time", "1s", "--timeout", "6s", "--events", events(it), "--isolation", where[0], who=where[1])
    ends_in(it, call, 15, "--cpu-time 1s")
    call.communicate()
    contains(open(events(it), encoding="utf-8").read(), '"kill_reason":"cpu_limit"')


def resident(pid):
    """Of all below it, in megabytes."""
    total, known = 0, {pid}
    for line in subprocess.run(["ps", "-eo", "pid,ppid,rss", "--sort=start_time"], capture_output=True, text=True, check=True).stdout.splitlines()[1:]:
        child, parent, size = map(int, line.split())
        if parent in known:
            known.add(child)
            total += size
    return total // 1024


@only("langsbx")
@needs("landlock:6")
@each(container=("container", USER), light=("light", USER))
@slow(60)
def test_memory_that_we_count(it, where):
    call = start(it, GREEDY, "--memory", "64M", "--timeout", "5s", "--events", events(it), "--isolation", where[0], who=where[1])
    peak, end = 0, time.monotonic() + 4
    while call.poll() is None and time.monotonic() < end:
        peak = max(peak, resident(call.pid))
        time.sleep(0.02)
    # Six times 100 where nobody counts.
    expect(peak < 400, f"{peak} MB with --memory 64M")
    ends_in(it, call, 10, "--memory 64M")
    call.communicate()
    contains(open(events(it), encoding="utf-8").read(), '"kill_reason":"memory_limit"')


@only("langsbx")
@needs("landlock:6")
@each(**TIERS)
@slow(60)
def test_a_signal(it, where):
    call = start(it, FLOOD + "time.sleep(600)\n", "--timeout", "60s", "--isolation", where[0], who=where[1])
    time.sleep(1.5)
    call.send_signal(signal.SIGTERM)
    ends_in(it, call, 8, "SIGTERM")
    call.communicate()


@only("langsbx")
@needs("landlock:6")
@slow(60)
def test_a_signal_after_the_program_has_ended(it):
    """All of it fits into the pipes but for what our caller's holds."""
    call = start(it, "import sys\nsys.stderr.write('x' * 100000)\n", "--timeout", "60s")
    time.sleep(1.5)
    expect(call.poll() is None, "it waits for its reader")
    call.send_signal(signal.SIGTERM)
    ends_in(it, call, 5, "SIGTERM")
    call.communicate()


@only("langsbx")
@needs("landlock:6")
@slow(60)
def test_a_slow_reader_of_a_program_that_ended_gets_everything(it):
    call = start(it, "import sys\nsys.stdout.write('x' * 100000)\n", "--timeout", "2s")
    time.sleep(4.5)
    out, err = call.communicate(timeout=10 * it.settings.slow)
    equal((len(out), call.returncode), (100000, 0), err)


@only("langsbx")
@needs("landlock:6")
@slow(60)
def test_the_record(it):
    code = "print('x' * 200000, flush=True)\nimport time\ntime.sleep(600)\n"
    call = start(it, code, "--json", "--timeout", "1s")
    ends_in(it, call, 8, "--timeout 1s")
    call.communicate()
    call = start(it, "print('x' * 200000)\n", "--json", "--timeout", "20s")
    time.sleep(1.5)
    expect(call.poll() is None, "it waits for its reader")
    call.send_signal(signal.SIGTERM)
    ends_in(it, call, 5, "SIGTERM")
    call.communicate()


def full_pipe():
    """Both ends; nothing more goes in, and a write waits."""
    reader, writer = os.pipe()
    fill(writer)
    return reader, writer


def fill(writer):
    flags = fcntl.fcntl(writer, fcntl.F_GETFL)
    fcntl.fcntl(writer, fcntl.F_SETFL, flags | os.O_NONBLOCK)
    for size in (65536, 1):
        try:
            while True:
                os.write(writer, b"x" * size)
        except BlockingIOError:
            pass
    fcntl.fcntl(writer, fcntl.F_SETFL, flags)


@only("langsbx")
@needs("landlock:6")
@slow(60)
def test_events(it):
    os.mkfifo(path := f"{it.folder}/events")
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(path, os.O_WRONLY)
    fill(writer)
    call = start(it, "print('done')\n", "--events", path, "--timeout", "2s")
    ends_in(it, call, 10, "--events that nobody reads")
    out, err = call.communicate()
    equal((out, call.returncode), (b"done\n", 0), err)
    contains(err.decode(), "not all were written")
    os.close(reader)
    os.close(writer)


@only("langsbx")
@slow(60)
def test_terminal_of_run(it):
    made = it.bundle(shell="trap 'echo > /got; exit 7' TERM; yes & while :; do sleep 0.05; done")
    made.process["terminal"] = True
    made.write()
    call = it.rt.start_call("run", "--bundle", made.path, it.id(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1.5)
    call.send_signal(signal.SIGTERM)
    it.until("the signal", lambda: os.path.exists(made.rootfs + "/got"))
    call.communicate(timeout=10 * it.settings.slow)
    equal(call.returncode, 7)


@only("langsbx")
@slow(60)
def test_input_that_the_program_does_not_read(it):
    made = it.bundle(shell="stty raw -echo; trap 'echo > /got; exit 7' TERM; while :; do sleep 0.05; done")
    made.process["terminal"] = True
    made.write()
    reader, writer = os.pipe()
    call = it.rt.start_call("run", "--bundle", made.path, it.id(), stdin=reader, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(reader)
    time.sleep(1)
    fill(writer)
    time.sleep(0.5)
    call.send_signal(signal.SIGTERM)
    it.until("the signal", lambda: os.path.exists(made.rootfs + "/got"))
    os.close(writer)
    call.communicate(timeout=10 * it.settings.slow)
    equal(call.returncode, 7)


@only("langsbx")
@each(stderr=False, log=True)
@slow(60)
def test_warnings_of_run(it, log):
    """They are told when the program runs already and its signals are ours to pass on."""
    made = it.bundle(shell="trap 'echo > /got; exit 7' TERM; echo > /up; while :; do sleep 0.05; done")
    made.process["capabilities"]["ambient"] = ["CAP_KILL"]
    made.process["capabilities"]["inheritable"] = []
    made.write()
    reader, writer = full_pipe()
    words, streams = [], {"stdout": subprocess.DEVNULL, "stderr": writer}
    if log:
        os.mkfifo(path := f"{it.folder}/log")
        held = os.open(path, os.O_RDWR)
        fill(held)
        words, streams = ["--log", path, "--log-level", "warning"], {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    argv = [it.rt.path, "--root", it.rt.root, *words, "run", "--bundle", made.path, it.id()]
    call = subprocess.Popen(argv, stdin=subprocess.DEVNULL, **streams)
    it.until("the program", lambda: os.path.exists(made.rootfs + "/up"))
    call.send_signal(signal.SIGTERM)
    it.until("the signal", lambda: os.path.exists(made.rootfs + "/got"))
    ends_in(it, call, 10, "SIGTERM")
    equal(call.returncode, 7)


@only("langsbx")
@slow(60)
def test_a_hook_that_does_not_read_its_state(it):
    made = it.bundle("true")
    made.config["annotations"] = {"large": "x" * 200000}
    made.config["hooks"] = {"createRuntime": [{"path": "/bin/sleep", "args": ["sleep", "100"], "timeout": 1}]}
    begin = time.monotonic()
    it.create(made).fails("timeout of 1s")
    expect(time.monotonic() - begin < 15 * it.settings.slow, "it took the hook's time")
