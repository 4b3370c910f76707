"""langsbx execute as a plain user: what comes back from the work directory, events of each kind, numpy; root beside it."""
import json
import os
import signal
import socket
import subprocess

from harness.case import each, equal, expect, needs, only, slow

USER = 12345
OBSERVE = ("name: open\nlanguage: python\ndescription: Everything passes.\ncapabilities:\n  allow: [threads]\n"
           "seccomp: python\nnetwork: none\nstages: {guard: observe}\n")
WHO = {f"{tier}_{who}": (tier, who == "user") for tier in ("container", "light") for who in ("root", "user")}


class Runs:
    """The runtime as root or as a plain user, in a folder of their own."""

    def __init__(self, it, tier, user):
        self.it, self.tier, self.folder = it, tier, f"{it.folder}/runs"
        os.mkdir(self.folder)
        self.prefix = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all"] if user else []
        self.profile = self.write("open.yaml", OBSERVE)
        if user:
            os.chown(self.folder, USER, USER)

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w", encoding="utf-8") as handle:
            handle.write(text)
        return f"{self.folder}/{name}"

    def record(self, code, *options, profile=None, name="main.py", args=(), fails=False):
        path = self.write(name, code)
        argv = [*self.prefix, self.it.rt.path, "--root", f"{self.folder}/state", "execute", "--json", "--isolation", self.tier,
                "--profile", profile or self.profile, *options, path, "--", *args]
        self.result = self.it.rt(argv=argv, cwd=self.folder, timeout=60,
                                 env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": self.folder})
        if fails:
            return None
        expect(self.result.out.startswith("{"), f"no record: {self.result.text[-600:]}")
        return json.loads(self.result.out)


@only("langsbx")
@needs("landlock:6")
@each(**WHO)
@slow(60)
def test_files_come_back(it, where):
    runs = Runs(it, *where)
    code = "import os\nprint(open('from-setup').read())\nos.mkdir('below')\nos.symlink('/etc/passwd', 'link.txt')\n" \
           "for name in ('a.txt', 'below/b'):\n    open(name, 'w').write(name)\n"
    made = runs.record(code, "--setup", "printf prepared > from-setup", "--artifact", "*.txt", "--keep")
    equal(made["stdout"], "prepared\n", made["stderr"][-500:])
    equal([a["name"] for a in made["artifacts"]], ["a.txt"])
    expect(made["resource_usage"]["disk_bytes"] > 0, "the disk's use is known")
    kept = f"{runs.folder}/{made['kept']}"
    with open(f"{kept}/below/b", encoding="ascii") as handle:
        equal(handle.read(), "below/b")
    with open(f"{runs.folder}/a.txt", encoding="ascii") as handle:
        equal(handle.read(), "a.txt")


@only("langsbx")
@needs("root", "path:/usr/bin/gcc")
def test_kept_without_a_runtime_directory(it):
    # As after su, in cron or in a container: no XDG_RUNTIME_DIR, and no /run/user/ID.
    runs = Runs(it, "container", True)
    path = runs.write("main.c", "int main(void) { return 3; }\n")
    for cached in (False, True):
        result = it.rt(argv=[*runs.prefix, it.rt.path, "execute", "--json", path], cwd=runs.folder, timeout=60,
                       env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": runs.folder})
        made = json.loads(result.out)
        equal((made["exit_code"], made["phases"]["compile_cached"]), (3, cached), made["stderr"][-300:])


OTHERS = """import os, socket, sys
place = sys.argv[1]
def tried(name, call):
    try:
        call()
        print(name)
    except OSError:
        pass
def pair():
    socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', place + '/datagrams')
def stream():
    socket.socket(socket.AF_UNIX).connect(place + '/stream')
tried('chmod', lambda: os.chmod(place + '/key', 0o666))
tried('fchmodat', lambda: os.chmod('key', 0o666, dir_fd=os.open(place, os.O_PATH)))
tried('descriptor', lambda: os.chmod('/proc/self/fd/%d' % os.open(place + '/key', os.O_PATH), 0o666))
tried('utime', lambda: os.utime(place + '/key', (1, 1)))
tried('setxattr', lambda: os.setxattr(place + '/key', 'user.x', b'1'))
tried('chown', lambda: os.chown(place + '/key', os.getuid(), os.getgid()))
tried('stream', stream)
tried('pair', pair)
socket.socketpair()
open('own', 'w').close()
os.utime(os.open('own', os.O_RDONLY))
print('end')
"""


@only("langsbx")
@needs("landlock:6")
@each(**{f"{name}_{network}": (tier, user, network) for name, (tier, user) in WHO.items() for network in ("none", "host")})
def test_files_and_sockets_of_others_are_out_of_reach(it, variant):
    """Landlock judges what is opened: names, owners and sockets are somebody else's to refuse."""
    tier, user, network = variant
    runs = Runs(it, tier, user)
    place = f"{it.folder}/place"
    os.mkdir(place)
    with socket.socket(socket.AF_UNIX) as stream, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagrams:
        stream.bind(f"{place}/stream")
        stream.listen()
        datagrams.bind(f"{place}/datagrams")
        for name in ("stream", "datagrams"):
            os.chmod(f"{place}/{name}", 0o777)
        key = f"{place}/key"
        with open(key, "w", encoding="ascii") as handle:
            handle.write("secret")
        os.chmod(key, 0o600)
        os.chown(key, USER if user else 0, USER if user else 0)
        made = runs.record(OTHERS, "--network", network, args=[place])
    equal(made["stdout"], "end\n", made["stderr"][-500:])
    equal(os.stat(key).st_mode & 0o777, 0o600, "the mode of the caller's file")


PROCESSORS = """import os
print(len(os.sched_getaffinity(0)))
try:
    os.sched_setaffinity(0, range(os.cpu_count()))
except OSError:
    pass
print(len(os.sched_getaffinity(0)))
"""


@only("langsbx")
@needs("landlock:6")
@each(**{name: where for name, where in WHO.items() if name != "container_root"})
def test_processors_without_cgroup(it, where):
    runs = Runs(it, *where)
    there = len(os.sched_getaffinity(0))
    made = runs.record(PROCESSORS, "--cpus", "1")
    if made["enforced"]["cgroup"].startswith("none"):
        equal(made["stdout"].split(), ["1", "1"], made["stderr"][-300:])
        # A part of one can't be held: who asked for it is told.
        runs.record(PROCESSORS, "--cpus", "0.5", fails=True)
        equal(runs.result.code, 125, runs.result.text)
        runs.result.fails("--cpus", "cgroup")
    made = runs.record(PROCESSORS, "--cpus", "4000")
    equal(made["stdout"].split()[0], str(there), made["stderr"][-300:])


KINDS = {
    "memory": ("kept = []\nwhile True:\n    kept.append(bytearray(1 << 20))\n", "--memory", "40M"),
    "timeout": ("import time\ntime.sleep(60)\n", "--timeout", "1s"),
    "cpu": ("while True:\n    pass\n", "--cpu-time", "1s"),
    "processes": ("import os, time\nwhile True:\n    try:\n        if os.fork() == 0:\n            time.sleep(30)\n    except OSError:\n        pass\n",
                  "--pids", "5", "--timeout", "20s"),
    "output": ("while True:\n    print('x' * 999)\n", "--output", "8K"),
    "disk": ("with open('f', 'wb') as f:\n    while True:\n        f.write(bytes(65536))\n", "--disk", "1M"),
}


@only("langsbx")
@needs("landlock:6")
@each(**WHO)
@slow(100)
def test_events_of_each_limit(it, where):
    runs = Runs(it, *where)
    for kind, (code, *options) in KINDS.items():
        path = f"{runs.folder}/events-{kind}"
        made = runs.record(code, "--events", path, *options)
        with open(path, encoding="utf-8") as handle:
            lines = [json.loads(line) for line in handle]
        names = [line["event"] for line in lines if "event" in line]
        equal((names[:2], names[-1] in ("killed", "completed")), (["created", "started"], True), f"{kind} {names}")
        equal(names[-1] == "killed", made["killed"], f"{kind}: {made['status']}")
        found = {line["finding"]["types"][0] for line in lines if line.get("class_uid") == 2001}
        expect(kind in found, f"{kind}: {found} {made['status']} {made['violations']}")


@only("langsbx")
@needs("landlock:6")
@each(root=False, user=True)
@slow(60)
def test_events_of_the_kernel(it, user):
    runs = Runs(it, "container", user)
    path = f"{runs.folder}/events"
    code = "import ctypes\nlibc = ctypes.CDLL(None)\nlibc.syscall(425, 1, 0)\ntry:\n    open('/usr/new', 'w')\nexcept OSError:\n    pass\n" \
           "try:\n    __import__('socket').create_connection(('127.0.0.1', 1))\nexcept OSError:\n    pass\n"
    made = runs.record(code, "--explain", "--events", path)
    with open(path, encoding="utf-8") as handle:
        lines = [json.loads(line) for line in handle]
    found = {line["finding"]["types"][0] for line in lines if line.get("class_uid") == 2001}
    expect({"seccomp", "landlock"} <= found, f"{found} {made['refused']}")


# Sources that a compiler would work on for ever, or read what is not the program's; the guard lets all pass. The status and reason,
# and what may not be in the compiler's text.
MACROS = "".join(f"#define {a} {' '.join([b] * 10)}\n" for a, b in zip("ABCDEFGH", "BCDEFGHI")) + "#define I x+x+x+x+x+x+x+x+x+x+\n"
COMPILED = {
    "endless_file": ("main.c", '#include "/dev/zero"\nint main(void) { return 0; }\n', {("killed", "memory_limit"), ("compile_error", None)}, None),
    "itself_twice": ("main.c", '#include "main.c"\n#include "main.c"\n', {("compile_error", None)}, None),
    "macros": ("main.c", MACROS + "int x;\nint main(void) { return A 1; }\n", {("killed", "memory_limit")}, None),
    "large_array": ("main.c", "char text[1 << 30] = {1};\nint main(void) { return text[5]; }\n",
                    {("compile_error", None), ("killed", "memory_limit"), ("killed", "disk_limit")}, None),
    "secret": ("main.c", 'const char text[] = {\n#include "/etc/shadow"\n};\nint main(void) { return 0; }\n', {("compile_error", None)}, "root:"),
    "assembler": ("main.c", '__asm__(".incbin \\"/etc/shadow\\"");\nint main(void) { return 0; }\n', {("compile_error", None)}, "root:"),
    "response_file": ("main.c", '#include "@/etc/shadow"\nint main(void) { return 0; }\n', {("compile_error", None)}, "root:"),
}


@only("langsbx")
@needs("root", "landlock:6", "path:/usr/bin/gcc")
@each(**WHO)
@slow(150)
def test_compiled_bombs(it, where):
    runs = Runs(it, *where)
    profile = runs.write("open-c.yaml", OBSERVE.replace("python", "c"))
    for kind, (name, code, wanted, hidden) in COMPILED.items():
        made = runs.record(code, "--no-cache", profile=profile, name=name)
        expect((made["status"], made["kill_reason"]) in wanted, f"{kind}: {made['status']} {made['kill_reason']} {made['stderr'][-300:]}")
        expect(len(made["stderr"]) <= made["limits"]["output_bytes"], kind)
        expect(hidden is None or hidden not in made["stderr"], kind)


NUMPY = """import sys
import numpy
numbers = numpy.arange(250000, dtype=float).reshape(500, 500)
print(int((numbers @ numbers.T).trace() // 1000), numpy.linalg.norm(numbers) > 0, numpy.mean(numbers))
numpy.save('kept.npy', numbers[:2])
print(numpy.load('kept.npy').shape, sys.argv[1:])
"""


@only("langsbx")
@needs("landlock:6", "path:/usr/lib/python3/dist-packages/numpy")
@each(**WHO)
@slow(100)
def test_numpy(it, where):
    runs = Runs(it, *where)
    made = runs.record(NUMPY, "--memory", "512M", "--pids", "64", profile="data-science")
    equal((made["status"], made["stdout"].splitlines()[-1:]), ("completed", ["(2, 500) []"]), f"{made['stderr'][-600:]} {made['violations'][:3]}")


MATPLOTLIB = """import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plot
import pandas
frame = pandas.DataFrame({'a': [1, 2, 3], 'b': [4, 5, 6]})
plot.plot(frame['a'], frame['b'])
plot.savefig('chart.png')
print(int(frame['b'].sum()))
"""


@only("langsbx")
@needs("landlock:6", "path:/usr/lib/python3/dist-packages/pandas", "path:/usr/lib/python3/dist-packages/matplotlib")
@each(**WHO)
@slow(100)
def test_chart(it, where):
    made = Runs(it, *where).record(MATPLOTLIB, "--memory", "1G", "--pids", "64", "--artifact", "*.png", profile="data-science")
    equal((made["status"], made["stdout"], [a["name"] for a in made["artifacts"]]), ("completed", "15\n", ["chart.png"]),
          f"{made['stderr'][-600:]} {made['violations'][:3]}")


TOLD = """import os, signal, time
signal.signal(signal.SIGTERM, lambda *_: print('told', flush=True))
signal.signal(signal.SIGUSR2, lambda *_: print('told', flush=True))
print('ready', flush=True)
end = time.monotonic() + 2
while time.monotonic() < end:
    time.sleep(0.05)
print('done', flush=True)
"""


@only("langsbx")
@needs("root", "landlock:6")
@slow(60)
def test_the_reaper_passes_on_what_its_supervisor_sends(it):
    """And nothing of others: SIGUSR1 stands for a SIGTERM of the supervisor's."""
    path = Runs(it, "light", False).write("main.py", TOLD)
    argv = it.rt.argv("execute", "--isolation", "light", "--profile", f"{it.folder}/runs/open.yaml", path)
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as call:
        equal(call.stdout.readline(), b"ready\n")
        with open(f"/proc/{call.pid}/task/{call.pid}/children", encoding="ascii") as handle:
            reapers = [int(pid) for pid in handle.read().split()]
        expect(reapers, "no reaper")
        for pid in reapers:
            os.kill(pid, signal.SIGUSR1)
            os.kill(pid, signal.SIGUSR2)
        equal(call.communicate(timeout=20 * it.settings.slow)[0], b"done\n")
