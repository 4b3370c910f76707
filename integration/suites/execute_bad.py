"""langsbx execute: bad code, one row each: what it tries, and the status and reason it has to end with."""
import json
import os
import subprocess

from harness.case import Failure, each, expect, needs, only, slow

USER = 12346
LIMITS = ("--timeout", "20s", "--cpu-time", "10s", "--memory", "96M", "--pids", "12", "--files", "40",
          "--disk", "2M", "--output", "64K", "--profile", "lab")

# (status, reason) or a set of them; "says:TEXT": completed, with TEXT in stdout; "violates:TYPE": however it ended, that
# violation is in the record
SAYS = "completed", None
REFUSED = {("killed", "memory_limit"), ("failed", None)}
# Memory that stays although no process has it resident.
HIDDEN = """import ctypes
SIZE = 1 << 22
libc = ctypes.CDLL(None)
for name in ('mmap', 'shmat'):
    getattr(libc, name).restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
for call in (libc.memset, libc.madvise):
    call.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t] if call is libc.memset else [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
libc.shmat.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
libc.shmdt.argtypes = [ctypes.c_void_p]
def hold(make, leave=lambda place: libc.madvise(place, SIZE, 4)):
    for _ in range(60):
        place = make()
        if place in (None, (1 << 64) - 1):
            raise SystemExit(1)
        libc.memset(place, 1, SIZE)
        leave(place)
"""
ROWS = {
    # --- memory
    "memory_slow": ("python", "kept = []\nwhile True:\n    kept.append(bytearray(1 << 20))\n", ("killed", "memory_limit")),
    "memory_map": ("python", "import mmap\nkept = []\nwhile True:\n    m = mmap.mmap(-1, 1 << 22, mmap.MAP_PRIVATE)\n"
                   "    for i in range(0, 1 << 22, 4096):\n        m[i] = 1\n    kept.append(m)\n",
                   ("killed", "memory_limit")),
    "memory_tmpfs": ("python", "import time\nfor i in range(60):\n    with open(f'f{i}', 'wb') as f:\n        f.write(bytes(1 << 20))\ntime.sleep(9)\n",
                     {("killed", "memory_limit"), ("killed", "disk_limit"), ("failed", None)}, "--memory", "40M", "--disk", "48M"),
    "memory_children": ("python", "import os, time\nfor _ in range(3):\n    if os.fork() == 0:\n        x = bytearray(60 << 20)\n"
                        "        time.sleep(3)\n        os._exit(0)\nfor _ in range(3):\n    os.wait()\n", "violates:memory_limit"),
    # Where no cgroup counts, what is resident in no process is refused.
    "memory_shared": ("python", HIDDEN + "hold(lambda: libc.mmap(None, SIZE, 3, 0x21, -1, 0))\n", REFUSED),
    "memory_of_zero": ("python", HIDDEN + "import os\nzero = os.open('/dev/zero', os.O_RDWR)\nhold(lambda: libc.mmap(None, SIZE, 3, 1, zero, 0))\n", REFUSED),
    "memory_segments": ("python", HIDDEN + "hold(lambda: libc.shmat(libc.shmget(0, SIZE, 0o1600), None, 0), libc.shmdt)\n", REFUSED),
    "memory_files": ("python", "import os\nkept = []\nfor i in range(30):\n    kept.append(os.memfd_create('x'))\n    for _ in range(8):\n"
                     "        os.write(kept[i], bytes(1 << 19))\n", REFUSED, "--disk", "48M"),
    # --- time
    "spin_threads": ("python", "import threading\ndef spin():\n    while True: pass\nfor _ in range(3):\n"
                     "    threading.Thread(target=spin).start()\n", ("killed", "cpu_limit"), "--cpu-time", "1s"),
    "spin_ignoring_signals": ("python", "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass\n",
                              ("killed", "cpu_limit"), "--cpu-time", "1s"),
    "sleep": ("bash", "sleep 1000\n", ("timeout", "timeout"), "--timeout", "1s"),
    "ignores_term": ("bash", "trap '' TERM INT HUP\nwhile :; do sleep 1; done\n", ("timeout", "timeout"), "--timeout", "1s"),
    "stops_itself": ("bash", "kill -STOP $$\n", ("timeout", "timeout"), "--timeout", "1s"),
    # --- processes
    "fork_bomb": ("bash", "f() { f | f & }\nf\nsleep 5\n", "violates:process_limit", "--timeout", "6s"),
    "fork_loop": ("python", "import os\nwhile True:\n    try:\n        if os.fork() == 0:\n            import time\n            time.sleep(30)\n"
                  "    except OSError:\n        pass\n", ("killed", "process_limit")),
    "threads": ("python", "import threading, time\nwhile True:\n    try:\n        threading.Thread(target=time.sleep, args=(30,), "
                "daemon=True).start()\n    except RuntimeError:\n        pass\n", ("killed", "process_limit")),
    "zombies": ("python", "import os, time\nfor _ in range(8):\n    if os.fork() == 0:\n        os._exit(0)\nprint('done')\n",
                "says:done"),
    "daemon_outlives": ("python", "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
                        "        time.sleep(1000)\n    os._exit(0)\nprint('done')\n", "says:done"),
    "daemon_holds_output": ("bash", "(setsid sleep 1000 &)\necho done\n", "says:done"),
    "kills_group": ("bash", "trap '' TERM\nkill -TERM 0\nkill -KILL -1\necho done\n", {("failed", None), SAYS, ("killed", None)}),
    "kills_parent": ("python", "import os, signal\nfor pid in {1, os.getppid()}:\n    try:\n        os.kill(pid, signal.SIGKILL)\n"
                     "    except OSError:\n        pass\nprint('done')\n", "says:done"),
    # --- output, disk, descriptors
    "output_flood": ("bash", "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxx; done\n", ("killed", "output_limit")),
    "output_both": ("python", "import sys\nwhile True:\n    sys.stdout.write('x' * 900)\n    sys.stderr.write('y' * 900)\n",
                    ("killed", "output_limit")),
    "disk_fill": ("bash", "for i in 1 2 3 4 5 6 7 8; do head -c 700000 /dev/urandom > f$i || exit 9; done; sleep 9\n",
                  "violates:disk_limit"),
    "disk_one_file": ("python", "with open('f', 'wb') as f:\n    while True:\n        f.write(bytes(65536))\n",
                      "violates:disk_limit"),
    "inodes": ("python", "import time\nfor i in range(9999):\n    open(f'f{i}', 'w').close()\ntime.sleep(9)\n",
               "violates:disk_limit"),
    "sparse": ("python", "with open('f', 'wb') as f:\n    f.seek(1 << 40)\n    f.write(b'x')\n",
               {("failed", None), ("killed", "disk_limit")}),
    "deep": ("python", "import os\nfor _ in range(300):\n    os.mkdir('d')\n    os.chdir('d')\nprint('done')\n",
             {SAYS, ("killed", "disk_limit"), ("failed", None)}),
    "files": ("python", "import os\nkept = []\ntry:\n    while True:\n        kept.append(open('/dev/null'))\nexcept OSError:\n    print('done')\n",
              "says:done"),
    "arguments": ("bash", "x=$(printf %0200000d 1)\n/usr/bin/env $x $x > /dev/null 2>&1 || echo done\n", "says:done"),
    "arguments_of_the_program": ("python", "import os, sys\ntry:\n    os.execv(sys.executable, ['x'] * 5000000)\nexcept (OSError, MemoryError):\n    print('done')\n",
                                 {SAYS, ("killed", "memory_limit")}),
    "crash": ("python", "import os\nos.abort()\n", ("failed", None)),
    "closes_streams": ("python", "import os, time\nfor fd in 0, 1, 2:\n    os.close(fd)\ntime.sleep(1000)\n",
                       ("timeout", "timeout"), "--timeout", "1s"),
}
# Each tries one thing, and prints "got" when it could.
REACH = {
    "caller_environment": "import glob\nfor p in glob.glob('/proc/[0-9]*/environ'):\n    try:\n        if b'SECRET_OF_CALLER' in open(p, 'rb').read():\n            print('got')\n    except OSError:\n        pass\n",
    "own_environment": "import os\nif 'SECRET_OF_CALLER' in os.environ:\n    print('got')\n",
    "proc_settings": "open('/proc/sys/kernel/hostname').read()\nprint('got')\n",
    "sys_firmware": "import os\nif os.listdir('/sys/kernel/security'):\n    print('got')\n",
    "shadow": "if 'root:' in open('/etc/shadow').read():\n    print('got')\n",
    "host_passwd": "if 'nobody:' in open('/etc/passwd').read():\n    print('got')\n",
    "home": "import os\nif os.listdir('/root') or os.listdir('/home'):\n    print('got')\n",
    "write_usr": "open('/usr/written-by-test', 'w')\nprint('got')\n",
    "write_tmp_of_host": "open('/var/tmp/written-by-test', 'w')\nprint('got')\n",
    "write_source": "import os, sys\nopen(os.path.dirname(os.path.dirname(sys.argv[0])) + '/source/x', 'a').write('x')\nprint('got')\n",
    "raw_socket": "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_RAW, 1)\nprint('got')\n",
    "packet_socket": "import socket\nsocket.socket(socket.AF_PACKET, socket.SOCK_RAW)\nprint('got')\n",
    "localhost": "import socket\ns = socket.socket()\ns.connect(('127.0.0.1', PORT))\nprint('got')\n",
    "datagram": "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.connect(('192.0.2.1', 53))\nprint('got')\n",
    "abstract_socket": "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('\\0ABSTRACT')\nprint('got')\n",
    "path_socket": "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('PATH_SOCKET')\nprint('got')\n",
    "name_service": "import socket\nsocket.gethostbyname('localhost.localdomain.example')\nprint('got')\n",
    "elf_dropped": "import os, shutil\nshutil.copy('/usr/bin/true', 'x')\nos.chmod('x', 0o755)\nif os.system('./x') == 0:\n    print('got')\n",
    "ld_so": "import os, shutil\nshutil.copy('/usr/bin/true', 'x')\nif os.system('/lib64/ld-linux-x86-64.so.2 ./x') == 0:\n    print('got')\n",
    "memory_of_parent": "import os\nopen(f'/proc/{os.getppid()}/mem', 'r+b', 0).read(1)\nprint('got')\n",
    "other_run": "import glob, os\nfor p in glob.glob('FOLDER/langsbx-execute-*/*/work/*') + glob.glob('/proc/*/root/work/*'):\n    if 'else' 'where' in open(p).read():\n        print('got')\n",
    "signal_outside": "import os\nos.kill(VICTIM, 0)\nprint('got')\n",
    "own_memory": "import ctypes\ntext = ctypes.create_string_buffer(b'x' * 9)\nwith open('/proc/self/mem', 'r+b', 0) as memory:\n    memory.seek(ctypes.addressof(text))\n    memory.write(b'y')\nprint('got')\n",
    "core_file": "import os, signal, time\nif os.fork() == 0:\n    os.abort()\nstatus = os.wait()[1]\nif os.WCOREDUMP(status) or [n for n in os.listdir('.') if 'core' in n]:\n    print('got')\n",
    "core_dump": "import resource\nresource.setrlimit(resource.RLIMIT_CORE, (1, 1))\nprint('got')\n",
    "priority": "import os\nos.setpriority(os.PRIO_PROCESS, VICTIM, 5)\nprint('got')\n",
    "trace": "import ctypes\nlibc = ctypes.CDLL(None)\nif libc.ptrace(16, VICTIM, 0, 0) == 0:\n    print('got')\n",
    "io_uring": "import ctypes\nlibc = ctypes.CDLL(None)\nif libc.syscall(425, 1, ctypes.create_string_buffer(200)) >= 0:\n    print('got')\n",
    "user_namespace": "import ctypes\nlibc = ctypes.CDLL(None)\nif libc.unshare(0x10000000) == 0:\n    print('got')\n",
    "memfd_execute": "import os\nfd = os.memfd_create('x')\nos.write(fd, open('/usr/bin/true', 'rb').read())\nif os.fork() == 0:\n    os.execv(f'/proc/self/fd/{fd}', ['x'])\n    os._exit(1)\nif os.wait()[1] == 0:\n    print('got')\n",
    "keyring": "import ctypes\nlibc = ctypes.CDLL(None)\nif libc.syscall(250, 0, -3, 1) >= 0:\n    print('got')\n",
}

PROFILES = {
    "python": "name: lab\nlanguage: python\ndescription: Everything passes; the kernel's layers are what is tried.\n"
              "capabilities:\n  allow: [threads]\nseccomp: python\nnetwork: none\nstages: {guard: observe}\n",
    "bash": "name: lab\nlanguage: bash\ndescription: Everything passes; the kernel's layers are what is tried.\n"
            "capabilities:\n  allow: [threads]\nseccomp: bash\nnetwork: none\nstages: {guard: observe}\n",
}
WHO = {f"{tier}_{who}": (tier, who) for tier in ("container", "light") for who in ("root", "user")}
# Behind another kernel the program is process 1 itself, and threads that are refused spin on. A process takes that kernel's own memory, so
# either limit may come first.
BEHIND_GVISOR = {**ROWS, "threads": (*ROWS["threads"][:2], {("killed", "process_limit"), ("killed", "cpu_limit")}),
                 "fork_loop": (*ROWS["fork_loop"][:2], {("killed", "process_limit"), ("killed", "memory_limit")})}
del BEHIND_GVISOR["kills_parent"]


class Lab:
    """The runtime as root or as a plain user, in one tier, with profiles that refuse nothing."""

    def __init__(self, it, tier, who):
        self.it, self.tier, self.serial = it, tier, 0
        self.folder = f"{it.folder}/lab"
        os.mkdir(self.folder)
        self.prefix = []
        for name, text in PROFILES.items():
            self.write(f"{name}.yaml", text)
        if who == "user":
            os.chown(self.folder, USER, USER)
            self.prefix = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all"]

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(text)
        os.chmod(path, 0o644)
        return path

    def argv(self, language, code, *options):
        self.serial += 1
        path = self.write(f"main{self.serial}.{'py' if language == 'python' else 'sh'}", code)
        limits = [self.folder + f"/{language}.yaml" if word == "lab" else word for word in LIMITS]
        return [*self.prefix, self.it.rt.path, "--root", f"{self.folder}/state", "execute", "--json",
                "--isolation", self.tier, *limits, *options, path]

    def start(self, *words):
        env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "SECRET_OF_CALLER": "1", "TMPDIR": self.folder}
        return subprocess.Popen(self.argv(*words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, cwd="/", env=env)


def finish(child):
    out, err = child.communicate(timeout=100)
    if not out.startswith(b"{"):
        raise Failure(f"no record: {err.decode(errors='replace')[-500:]}")
    return json.loads(out)


def fault_of(record, wanted):
    """None, or what is wrong with the end of a run."""
    got = (record["status"], record["kill_reason"])
    if isinstance(wanted, str) and wanted.startswith("violates:"):
        good = wanted.removeprefix("violates:") in [v["type"] for v in record["violations"]]
    elif isinstance(wanted, str):
        good = wanted.removeprefix("says:") in record["stdout"] and got == SAYS
    else:
        good = got in (wanted if isinstance(wanted, set) else {wanted})
    if good:
        return None
    return f"{got}, wanted {wanted}: {record['stdout'][-80:]!r} {record['stderr'][-300:]!r} {record['warnings'][-2:]}"


def run_rows(lab, rows, lanes=4):
    """All rows, some at a time; what is wrong, by row."""
    faults, queue, running = [], list(rows.items()), []
    while queue or running:
        while queue and len(running) < lanes:
            name, (language, code, wanted, *options) = queue.pop(0)
            running.append((name, wanted, lab.start(language, code, *options)))
        name, wanted, child = running.pop(0)
        fault = fault_of(finish(child), wanted)
        if fault:
            faults.append(f"{name}: {fault}")
    return faults


@only("langsbx")
@needs("root", "landlock:6", "path:/usr/bin/python3")
@each(**WHO)
@slow(100)
def test_ends(it, where):
    lab = Lab(it, *where)
    faults = run_rows(lab, ROWS)
    expect(not faults, "; ".join(faults))


@only("langsbx")
@needs("root", "controller:memory", "controller:pids", "path:/usr/bin/runsc", "path:/usr/bin/python3")
@slow(200)
def test_ends_behind_gvisor(it):
    faults = run_rows(Lab(it, "maximum", "root"), BEHIND_GVISOR, lanes=2)
    expect(not faults, "; ".join(faults))


HEAD = """import os, sys
def attempt(name, code):
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        sys.stdout.write(name + ' ')
        try:
            exec(code, {'__name__': '__main__'})
        except BaseException as fault:
            print('refused')
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(pid, 0)
"""


@only("langsbx")
@needs("root", "landlock:6", "path:/usr/bin/python3")
@each(**WHO)
@slow(60)
def test_reach(it, where):
    import socket
    lab = Lab(it, *where)
    victim = it.background([*lab.prefix, "sleep", "1000"])
    secret = lab.write("secret.txt", "elsewhere\n")
    beside = lab.start("python", "import time\ntime.sleep(1000)\n", "--input", secret, "--timeout", "15s")
    with socket.socket() as server, socket.socket(socket.AF_UNIX) as abstract, socket.socket(socket.AF_UNIX) as named:
        server.bind(("127.0.0.1", 0))
        abstract.bind(f"\0langsbx-{it.tag}")
        named.bind(f"{lab.folder}/socket")
        os.chmod(f"{lab.folder}/socket", 0o777)
        for listening in (server, abstract, named):
            listening.listen()
        code = HEAD
        for name, text in REACH.items():
            for word, value in (("PORT", server.getsockname()[1]), ("ABSTRACT", f"langsbx-{it.tag}"),
                                ("PATH_SOCKET", f"{lab.folder}/socket"), ("VICTIM", victim.pid), ("FOLDER", lab.folder)):
                text = text.replace(word, str(value))
            code += f"attempt({name!r}, {text!r})\n"
        record = finish(lab.start("python", code + "print('end')\n"))
    beside.terminate()
    finish(beside)
    got = [line.split()[0] for line in record["stdout"].splitlines() if line.endswith(" got")]
    expect(not got and "end" in record["stdout"], f"{got} {record['stdout']} {record['stderr']} {record['status']}")
