"""What `execute` costs over the bare interpreter, `python3 -I -S -c pass`: measure(runtime, rounds) gives rows of (name, bare, wall,
processor). Execute starts it without `site`, too, where only the distribution's packages are (runtime/execute/python_site.h).

The two are Spent: the least and the median of all rounds, in milliseconds. A busy machine moves the median of wall times a lot,
processor time and the least a little. Bubblewrap's own exit does not wait for what it ran to be waited for: its processor time is
not all there. figures() is the same as a section of the bench."""
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

USER = 12345
ROUNDS = 40
NOTHING = ["/usr/bin/python3", "-I", "-S", "-c", "pass"]
# Names what `site` brings: execute starts the interpreter with it.
PACKAGES = "callable(quit)\n"
FIREJAIL = ["firejail", "--quiet", "--noprofile", "--net=none", "--private", "--private-dev", "--caps.drop=all", "--seccomp"]
BUBBLEWRAP = ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib",
              "--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/work"]


def as_user(words, folder):
    return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all", "env", "-i",
            f"XDG_RUNTIME_DIR={folder}/user", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", *words]


def contenders(runtime, folder):
    """Name, command line, and the name of the bare one it is compared with."""
    def execute(tier, file, *options):
        return [runtime, "--root", f"{folder}/state", "execute", "--isolation", tier, *options, file]

    def user(tier, file):
        return as_user([runtime, "execute", "--isolation", tier, file], folder)

    python, packages = f"{folder}/pass.py", f"{folder}/packages.py"
    rows = [("python, bare", NOTHING, None),
            ("python, bare, as user", as_user(NOTHING, folder), None),
            ("python, container", execute("container", python), "python, bare"),
            ("python, container, as user", user("container", python), "python, bare, as user"),
            ("python, light", execute("light", python), "python, bare"),
            ("python, light, as user", user("light", python), "python, bare, as user"),
            ("python with site, bare", ["/usr/bin/python3", "-I", "-B", packages], None),
            ("python with site, container", execute("container", packages), "python with site, bare"),
            ("python with site, light", execute("light", packages), "python with site, bare")]
    for name, words in (("bubblewrap", BUBBLEWRAP), ("firejail", FIREJAIL), ("runsc do", ["runsc", "--network=none", "do"])):
        if shutil.which(words[0]):
            rows.append((f"python, {name}", [*words, *NOTHING], "python, bare"))
    if shutil.which("runsc"):
        rows.append(("python, maximum (runsc)", execute("maximum", python), "python, bare"))
    if os.path.exists("/usr/bin/gcc"):
        program = f"{folder}/pass"
        source = f"{folder}/pass.c"
        subprocess.run(["/usr/bin/gcc", "-O1", "-o", program, source], check=True)
        rows += [("gcc, bare", ["/usr/bin/gcc", "-O1", "-o", f"{folder}/again", source], None),
                 ("c program, bare", [program], None),
                 ("c, from source", execute("container", source, "--no-cache"), "gcc, bare"),
                 ("c, cached", execute("container", source), "c program, bare")]
    return rows


class Spent:
    def __init__(self, values):
        self.least, self.median = min(values), statistics.median(values)


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def once(words):
    """Wall and processor time of a command and all it waited for."""
    begin, before = time.perf_counter(), processor()
    subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - begin) * 1000, (processor() - before) * 1000


def measure(runtime, rounds=ROUNDS):
    """All in turn, so that a busy moment hits all of them alike."""
    folder = tempfile.mkdtemp(prefix="langsbx-bench-")
    try:
        os.chmod(folder, 0o755)
        # As a session's, and like root's /dev/shm, in memory.
        os.mkdir(f"{folder}/user")
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"mode=700,uid={USER},gid={USER},size=10%", "user", f"{folder}/user"], check=True)
        for name, text in (("pass.py", "pass\n"), ("packages.py", PACKAGES), ("pass.c", "int main(void) { return 0; }\n")):
            with open(f"{folder}/{name}", "w", encoding="utf-8") as handle:
                handle.write(text)
        # A checkout in root's home is out of the user's reach.
        os.chmod(shutil.copy(runtime, f"{folder}/langsbx"), 0o755)
        rows = contenders(f"{folder}/langsbx", folder)
        times = {name: [] for name, _, _ in rows}
        for round_ in range(rounds + 1):
            for name, words, _ in rows:
                spent = once(words)
                if round_ > 0:  # the first fills caches
                    times[name].append(spent)
        return [(name, bare, *[Spent(column) for column in zip(*times[name])]) for name, _, bare in rows]
    finally:
        subprocess.run(["umount", f"{folder}/user"], check=False)
        shutil.rmtree(folder, ignore_errors=True)


def figures(bench):
    rows = measure(bench.runtime, max(10, bench.rounds // 2))
    known = {name: wall for name, _, wall, _ in rows}
    return {name: {"wall": round(wall.median, 2), "wall_best": round(wall.least, 2), "processor": round(used.least, 2),
                   "over_bare": None if bare is None else round(wall.least - known[bare].least, 2),
                   "over_bare_median": None if bare is None else round(wall.median - known[bare].median, 2)}
            for name, bare, wall, used in rows}


def table(rows):
    known = {name: (wall, used) for name, _, wall, used in rows}
    lines = ["| ms | wall, least | median | over bare | processor, least | median | over bare |", "|---|---|---|---|---|---|---|"]
    for name, bare, wall, used in rows:
        over = [""] * 2 if bare is None else [f"{mine.least - theirs.least:.1f}" for mine, theirs in zip((wall, used), known[bare])]
        lines.append(f"| {name} | {wall.least:.1f} | {wall.median:.1f} | {over[0]} | {used.least:.1f} | {used.median:.1f} | {over[1]} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(measure(sys.argv[1] if len(sys.argv) > 1 else "build/release/cmd/langsbx/langsbx",
                        int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS)))
