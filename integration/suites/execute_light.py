"""langsbx execute --isolation light: what the host's own files, processes and users have to do with a program, as root and as a user."""
import json
import os
import signal
import subprocess
import time

from harness.case import Skip, each, equal, expect, needs, only, slow

USER = 12345
OTHER = 23456
OBSERVE = ("name: open\nlanguage: {0}\ndescription: Everything passes.\ncapabilities:\n  allow: [threads]\n"
           "seccomp: {1}\nnetwork: none\nstages: {{guard: observe}}\n")
SECCOMP = {"typescript": "javascript"}
WHO = {"root": 0, "user": USER}


def as_user(uid):
    return ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--inh-caps=-all"] if uid else []


class Runs:
    """The runtime as root or as a plain user, with a TMPDIR of its own."""

    def __init__(self, it, uid):
        self.it, self.uid, self.folder = it, uid, f"{it.folder}/runs"
        self.base = f"{self.folder}/langsbx-execute-{uid}"
        os.mkdir(self.folder)
        os.chown(self.folder, uid, uid)

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(text)
        os.chown(path, self.uid, self.uid)
        return path

    def argv(self, name, text, *options, language="python", args=()):
        profile = self.write(f"open-{language}.yaml", OBSERVE.format(language, SECCOMP.get(language, language)))
        return [*as_user(self.uid), self.it.rt.path, "--root", f"{self.folder}/state", "execute", "--json", "--isolation", "light",
                "--profile", profile, *options, self.write(name, text), "--", *args]

    def env(self):
        return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": self.folder}

    def record(self, *words, **more):
        result = self.it.rt(argv=self.argv(*words, **more), cwd=self.folder, timeout=60, env=self.env())
        if result.code == 127:
            raise Skip(result.text.strip()[-200:])
        expect(result.out.startswith("{"), f"no record: {result.text[-600:]}")
        return json.loads(result.out)

    def background(self, *words, **more):
        return self.it.background(self.argv(*words, **more), cwd=self.folder, env=self.env(), stdout=subprocess.PIPE)


HOST = """import ctypes, fcntl, os, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
def tried(name, call):
    try:
        if call() != -1:
            print(name)
    except OSError:
        pass
for name in ('net/tcp', 'net/unix', 'net/route', 'net/arp', 'net/dev', 'mountinfo', 'mounts', 'mountstats', 'cgroup', 'cpuset',
             'task/%d/net/tcp' % os.getpid(), 'task/%d/mountinfo' % os.getpid(), 'root/etc/passwd', 'cwd/../../../..' + sys.argv[1] + '/key',
             'attr/current', 'sched', 'loginuid'):
    tried(name, lambda: open('/proc/self/' + name).close())
    tried('thread-self/' + name, lambda: open('/proc/thread-self/' + name).close())
tried('net', lambda: os.listdir('/proc/self/net'))
tried('task', lambda: os.listdir('/proc/self/task'))
tried('folder', lambda: os.listdir(sys.argv[1]))
tried('inotify', lambda: libc.inotify_add_watch(libc.inotify_init1(0), sys.argv[1].encode(), 0x100))
tried('inotify instance', lambda: libc.inotify_init())
tried('fanotify', lambda: libc.syscall(300, 0x200, 0))
pair = socket.socketpair()
tried('interfaces', lambda: fcntl.ioctl(pair[0], 0x8912, struct.pack('iL', 0, 0)))
tried('interface', lambda: fcntl.ioctl(pair[0], 0x8910, struct.pack('16si20x', b'', 1)))
for name in ('status', 'stat', 'statm', 'maps', 'smaps', 'cmdline', 'comm', 'limits', 'environ', 'auxv', 'io', 'oom_score_adj'):
    tried('own ' + name, lambda: open('/proc/self/' + name, 'rb').read(1))
tried('own fd', lambda: os.listdir('/proc/self/fd'))
tried('own fdinfo', lambda: open('/proc/self/fdinfo/0').close())
"""
OWN = [f"own {name}" for name in ("status", "stat", "statm", "maps", "smaps", "cmdline", "comm", "limits", "environ", "auxv", "io",
                                  "oom_score_adj", "fd", "fdinfo")]


@only("langsbx")
@needs("landlock:6")
@each(**WHO)
def test_nothing_of_the_host_is_told(it, uid):
    """The host's connections, mounts, interfaces and names; a process's own facts stay."""
    runs = Runs(it, uid)
    place = f"{it.folder}/place"
    os.mkdir(place)
    with open(f"{place}/key", "w", encoding="ascii") as handle:
        handle.write("secret")
    made = runs.record("main.py", HOST, args=[place])
    equal(made["stdout"].splitlines(), OWN, made["stderr"][-500:])


# What runtimes ask about themselves; each prints "good".
ITSELF = {
    "python": ("main.py", "import os, resource, threading\nthread = threading.Thread(target=lambda: None)\nthread.start()\nthread.join()\n"
               "print('good' if os.cpu_count() and resource.getrusage(0).ru_maxrss and os.sysconf('SC_PHYS_PAGES') else 'bad')\n"),
    "bash": ("main.sh", "while read -r word; do echo \"$word\"; done < <(echo good)\n"),
    "javascript": ("main.js", "const os = require('os');\nconst use = process.memoryUsage();\n"
                   "console.log(use.rss > 0 && os.totalmem() > 0 && os.cpus().length > 0 && process.constrainedMemory !== null ? 'good' : 'bad');\n"),
    "typescript": ("main.ts", "const use: number = process.memoryUsage().rss;\nconsole.log(use > 0 ? 'good' : 'bad');\n"),
    "c": ("main.c", "#define _GNU_SOURCE\n#include <pthread.h>\n#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n  pthread_attr_t at;\n"
          "  size_t size = 0;\n  void *stack = 0;\n  int bad = pthread_getattr_np(pthread_self(), &at) || pthread_attr_getstack(&at, &stack, &size);\n"
          "  puts(!bad && size > 0 && sysconf(_SC_NPROCESSORS_ONLN) > 0 ? \"good\" : \"bad\");\n  return 0;\n}\n"),
    "cpp": ("main.cpp", "#include <filesystem>\n#include <iostream>\n#include <thread>\nint main() {\n"
            "  std::thread([] {}).join();\n  std::cout << (std::thread::hardware_concurrency() > 0 && !std::filesystem::current_path().empty() ? "
            "\"good\" : \"bad\") << '\\n';\n}\n"),
    "go": ("main.go", "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"runtime\"\n)\n\nfunc main() {\n\tvar use runtime.MemStats\n"
           "\truntime.ReadMemStats(&use)\n\tself, err := os.Executable()\n\tif use.Sys > 0 && runtime.NumCPU() > 0 && err == nil && self != \"\" {\n"
           "\t\tfmt.Println(\"good\")\n\t}\n}\n"),
    "rust": ("main.rs", "fn main() {\n    let cpus = std::thread::available_parallelism().is_ok();\n    let own = std::env::current_exe().is_ok();\n"
             "    println!(\"{}\", if cpus && own { \"good\" } else { \"bad\" });\n}\n"),
    "r": ("main.R", "con <- file('stdin'); input <- readLines(con); close(con)\nm <- lm(dist ~ speed, data = cars)\n"
          "write.csv(cars, 'cars.csv', row.names = FALSE)\npdf('plot.pdf'); plot(cars); invisible(dev.off())\n"
          "good <- nrow(read.csv('cars.csv')) == 50 && coef(m)[2] > 3 && file.size('plot.pdf') > 1000 && nzchar(R.version.string)\n"
          "cat(if (good) 'good' else 'bad', '\\n', sep = '')\n"),
    "java": ("Main.java", "import java.lang.management.ManagementFactory;\nclass Main {\n  public static void main(String[] arguments) throws Exception {\n"
             "    var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();\n"
             "    var load = (com.sun.management.UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();\n"
             "    System.gc();\n    boolean good = heap > 0 && load.getTotalMemorySize() > 0 && load.getProcessCpuTime() > 0\n"
             "        && load.getOpenFileDescriptorCount() > 0 && ProcessHandle.current().pid() > 0;\n"
             "    System.out.println(good ? \"good\" : \"bad\");\n  }\n}\n"),
}


@only("langsbx")
@needs("landlock:6")
@each(**{f"{language}_{who}": (language, uid) for language in ITSELF for who, uid in WHO.items()})
@slow(100)
def test_runtimes_learn_about_themselves(it, row):
    language, uid = row
    made = Runs(it, uid).record(*ITSELF[language], language=language)
    equal((made["stdout"], made["exit_code"]), ("good\n", 0), f"{made['status']} {made['stderr'][-500:]} {made['violations'][:2]}")


@only("langsbx")
@needs("root", "landlock:1")
def test_priorities_of_the_callers_processes_stay(it):
    runs = Runs(it, USER)
    sleep = it.background([*as_user(USER), "sleep", "60"])
    code = ("import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nprint(libc.setpriority(2, 0, 9), libc.setpriority(1, 0, 9))\n"
            "print(libc.syscall(251, 3, 0, 3 << 13), libc.syscall(251, 2, 0, 3 << 13))\nprint(libc.setpriority(0, 0, 9), os.getpriority(0, 0))\n")
    made = runs.record("main.py", code)
    equal(made["stdout"], "-1 -1\n-1 -1\n0 9\n", made["stderr"][-500:])
    equal(os.getpriority(os.PRIO_PROCESS, sleep.pid), 0, "the priority of a process that has nothing to do with it")


def readable(uid, path):
    """What another user gets of a folder's path and a file's."""
    return [subprocess.run([*as_user(uid), *command, path], capture_output=True, check=False).returncode == 0
            for command in (("cat",), ("stat",), ("ls",))]


@only("langsbx")
@needs("root", "landlock:1")
@each(**WHO)
def test_other_users_read_nothing(it, uid):
    """While it runs, and after langsbx was killed, until the next run."""
    runs = Runs(it, uid)
    data = runs.write("data.txt", "secret")
    code = "import sys\nprint(sys.argv[0], flush=True)\nsys.stdin.read()\n"
    os.mkfifo(f"{runs.folder}/pipe")
    os.chown(f"{runs.folder}/pipe", uid, uid)
    writer = os.open(f"{runs.folder}/pipe", os.O_RDWR)
    child = runs.background("main.py", code, "--input", data, "--stdin", f"{runs.folder}/pipe")

    def folders():
        return [name for name in (os.listdir(runs.base) if os.path.isdir(runs.base) else []) if name.startswith(f"{child.pid}-")]

    def source():
        return f"{runs.base}/{folders()[0]}/work/main.py"

    it.until("the source", lambda: folders() and os.path.exists(source()))
    it.until("the program", lambda: any(is_program(pid, source()) for pid in os.listdir("/proc") if pid.isdigit()))
    folder = os.path.dirname(os.path.dirname(source()))
    paths = [source(), f"{folder}/source", folder, f"{folder}/work", f"{folder}/work/data.txt"]
    for moment in ("running", "killed"):
        for path in paths:
            cat, stat, ls = readable(OTHER, path)
            expect(not cat and not ls and (not stat or path == folder), f"{moment}: {path} can be read: {cat} {stat} {ls}")
        if moment == "running":
            child.send_signal(signal.SIGKILL)
            child.wait()
    os.close(writer)
    runs.record("next.py", "print(1)\n")
    expect(not os.path.exists(folder), "the next run removes it")


def is_program(pid, source):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as handle:
            return source.encode() in handle.read().split(b"\0")
    except OSError:
        return False


@only("langsbx")
@needs("root", "landlock:1")
@each(**{f"{who}_{kind}": (uid, kind) for who, uid in WHO.items() for kind in ("directory", "file", "link")})
def test_a_base_that_somebody_took(it, row):
    """The base's name is known beforehand: another user's directory of that name is neither used nor in the way."""
    uid, kind = row
    runs = Runs(it, uid)
    elsewhere = f"{it.folder}/elsewhere"
    os.mkdir(elsewhere)
    if kind == "directory":
        os.mkdir(runs.base, 0o777)
    elif kind == "file":
        runs.write(os.path.basename(runs.base), "")
    else:
        os.symlink(elsewhere, runs.base)
    os.chown(runs.base, OTHER, OTHER, follow_symlinks=False)
    seen = set()
    for _ in range(2):
        made = runs.record("main.py", "import os\nprint(os.getcwd())\nopen('f', 'w').close()\n")
        equal((made["status"], made["isolation"]["tier"]), ("completed", "light"), made["stderr"][-300:])
        seen.add(os.path.dirname(os.path.dirname(made["stdout"].strip())))
    equal(len(seen), 1, f"the same the next time: {seen}")
    base = seen.pop()
    expect(base.startswith(runs.base + "-"), base)
    status = os.stat(base)
    equal((status.st_uid, status.st_mode & 0o777, os.listdir(base)), (uid, 0o711, []))
    for place in (runs.base, elsewhere):
        expect(not os.path.isdir(place) or not os.listdir(place), f"{place}: {os.listdir(place) if os.path.isdir(place) else ''}")


@only("langsbx")
@needs("root", "landlock:1")
@each(**WHO)
def test_signals_of_others_are_not_passed_on(it, uid):
    """The reaper hands on what its supervisor sends, and nothing that another process sends it."""
    runs = Runs(it, uid)
    code = "trap 'echo other' HUP USR1 USR2 INT\ntrap 'echo term; exit 5' TERM\necho ready\nwhile :; do sleep 0.05; done\n"
    argv = [word for word in runs.argv("main.sh", code, language="bash") if word != "--json"]
    child = it.background(argv, cwd=runs.folder, env=runs.env(), stdout=subprocess.PIPE)
    equal(child.stdout.readline(), b"ready\n")
    with open(f"/proc/{child.pid}/task/{child.pid}/children", encoding="ascii") as handle:
        reapers = [int(pid) for pid in handle.read().split()]
    equal(len(reapers), 1, "the supervisor's children")
    for number in (signal.SIGHUP, signal.SIGUSR2, signal.SIGINT):
        os.kill(reapers[0], number)
    time.sleep(0.5)
    child.send_signal(signal.SIGTERM)
    equal((child.communicate(timeout=30)[0], child.returncode), (b"term\n", 5))
