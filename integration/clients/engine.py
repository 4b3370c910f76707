"""What the suites of all clients share: a private world, shell cases, a verdict table."""
import glob
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import host  # noqa: E402


class Engine:
    """A client program's daemon or settings in a folder of its own; subclasses start and stop it."""

    NAME = PROGRAM = ""
    FETCHES = False  # needs the machine's network
    cgroups = ()  # parents that the client leaves behind, empty
    states = ()  # where the runtime's --root is, as patterns; {f} is the scratch folder
    furniture = ("/root/overlay", f"langsbx-it-cri/{os.getpid()}")  # what a client makes once and keeps
    # What systemd starts sees the machine's own mounts: only where those are ours.
    driver = "systemd" if os.environ.get("LANGSBX_IT_MACHINE") and not host.missing("systemd") else "cgroupfs"
    programs = {"good.py": "import time\nprint(6 * 7, flush=True)\ntime.sleep(0.1)\n", "main.py": "print('main')\n",
                "bad.py": "import os\nos.system('echo harm')\n",
                "wait.py": "import time\nprint('up', flush=True)\ntime.sleep(100)\n"}

    def __init__(self, folder, runtime):
        self.folder, self.runtime = folder, runtime
        self.env = dict(os.environ, PATH="/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin", RUNTIME=runtime, V=f"{folder}/v", FOLDER=folder, SYSROOT=f"--sysroot {folder}",
                        LC_ALL="C.UTF-8", SLOW=str(self.slow))
        os.makedirs(f"{folder}/v", exist_ok=True)
        os.chmod(f"{folder}/v", 0o755)
        for name, text in self.programs.items():
            with open(f"{folder}/v/{name}", "w", encoding="ascii") as handle:
                handle.write(text)
        self.daemon = None

    # LANGSBX_IT_SLOW, for emulated machines: what a script waits for itself, and how long it may take.
    slow = float(os.environ.get("LANGSBX_IT_SLOW", "1"))
    SLEEP = 'sleep() { command sleep "$(awk "BEGIN {print $1 * $SLOW}")"; }; '

    def command(self, script):
        return ["bash", "-c", self.SLEEP + script]

    def sh(self, script, timeout=60):
        """(exit status, output) of a shell script; what does not end in time is 124."""
        with open(f"{self.folder}/out", "w+b") as out:
            child = subprocess.Popen(self.command(script), stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=self.env, cwd=self.folder,
                                     start_new_session=True)
            try:
                code = child.wait(timeout * self.slow)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, 9)
                child.wait()
                code = 124
            out.seek(0)
            return code, out.read().decode("utf-8", "replace")

    @property
    def judges(self):
        return os.path.basename(os.path.realpath(self.runtime)) not in ("runc", "crun")

    def install(self, *words):
        """What the README says, on files below the scratch folder."""
        made = subprocess.run([self.runtime, "install", "--sysroot", self.folder, *words], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env=self.env)
        if made.returncode:
            raise RuntimeError(made.stderr)

    def load(self, command, archives):
        for archive in archives:
            code, text = self.sh(f"{command} {archive}", 180)
            if code:
                raise RuntimeError(text)

    def owns(self, state):
        """Whether a folder of state is of this client: others may use the same --root."""
        try:
            with open(f"{state}/state.json", encoding="utf-8", errors="replace") as handle:
                return self.folder in handle.read()
        except (FileNotFoundError, NotADirectoryError):
            return os.path.isdir(state)

    def remains(self):
        """What there is of containers: shims and monitors, cgroups, folders of state, mounts."""
        found = set()
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as handle:
                    words = handle.read().decode("utf-8", "replace")
            except (FileNotFoundError, ProcessLookupError):
                continue
            if self.folder in words and re.search(r"containerd-shim|conmon", words.split("\0")[0]):
                found.add(f"process {entry} {words[:60]}")
        for name in self.cgroups:
            for top in glob.glob(f"/sys/fs/cgroup/{name.lstrip('/')}") + glob.glob(f"/sys/fs/cgroup/*/{name.lstrip('/')}"):
                found.update(f"cgroup {path}" for path, _, _ in os.walk(top) if path != top)
        for pattern in self.states:
            found.update(f"state {path}" for path in glob.glob(f"{pattern.format(f=self.folder)}/*") if self.owns(path))
        with open("/proc/self/mountinfo", encoding="utf-8") as handle:
            places = [line.split()[4] for line in handle]
        found.update(f"mount {place}" for place in places if place.startswith(self.folder))
        return {item for item in found if not item.endswith(self.furniture)}

    def background(self, words, log):
        with open(log, "wb") as out:
            self.daemon = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=self.env, cwd=self.folder)

    def wait_until(self, script, seconds=60):
        end = time.monotonic() + seconds * self.slow
        while self.sh(script)[0] != 0:
            if time.monotonic() > end or (self.daemon and self.daemon.poll() is not None):
                raise RuntimeError(f"did not come up: {self.sh(script)[1][-500:]}")
            time.sleep(0.1)

    def stop(self):
        if self.daemon:
            self.daemon.terminate()
            try:
                self.daemon.wait(20 * self.slow)
            except subprocess.TimeoutExpired:
                self.daemon.kill()
                self.daemon.wait()
        subprocess.run(["bash", "-c", f"for m in $(awk '{{print $5}}' /proc/self/mountinfo | grep ^{self.folder}/ | sort -r); "
                        "do umount -l $m 2>/dev/null; done"], check=False)
        for name in self.cgroups:
            subprocess.run(["bash", "-c", f"for c in /sys/fs/cgroup/*/{name} /sys/fs/cgroup/{name}; do "
                            "[ -d $c ] && find $c -depth -type d -exec rmdir {} + 2>/dev/null; done"], check=False)


def attempt(engine, function):
    try:
        function(engine)
        return 0, ""
    except Exception as fault:  # the verdict of this case; the others go on
        return 1, f"{type(fault).__name__}: {fault}"


# Cases whose container never runs: nothing of it may be left.
NEVER_RUNS = re.compile(r"refuse|not-found|not-in-path|not-executable|error")


def left_over(engine, before, patience=4.0):
    """What a failed start left; engines clean up behind the answer, so they are given a moment."""
    end = time.monotonic() + patience * engine.slow
    while (left := engine.remains() - before) and time.monotonic() < end:
        time.sleep(0.1)
    return sorted(left)


def run_cases(engine, cases, report):
    """Runs (name, script or function) pairs in order; a later case may build on an earlier one."""
    verdicts = {}
    for name, script in cases:
        begin = time.monotonic()
        before = engine.remains()
        code, text = engine.sh(script) if isinstance(script, str) else attempt(engine, script)
        if code == 0 and NEVER_RUNS.search(name) and (left := left_over(engine, before)):
            code, text = 1, f"left behind: {left}"
        verdicts[name] = code == 0
        why = "" if code == 0 else f"  (exit {code}: {' '.join(text.split())[-400:]})"
        report(f"{'ok' if code == 0 else 'FAIL':5}{name} {time.monotonic() - begin:.1f} s{why}")
    return verdicts


def private_world(v1_only, network=True):
    """Own mounts (shared inside, as on a systemd host) and own network; nothing of it outlives this process. In a machine that
    is there for one run only (LANGSBX_IT_MACHINE), services that systemd starts shall see the same."""
    if os.environ.get("LANGSBX_IT_MACHINE"):
        return
    host.private_mounts()
    if v1_only and host.cgroup_mode() == "hybrid":
        host.v1_view()
    host.mount("none", "/", None, host.MS_REC | (1 << 20))  # MS_SHARED
    if network:
        if host.libc.unshare(0x40000000) != 0:
            raise OSError("unshare(CLONE_NEWNET)")
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
