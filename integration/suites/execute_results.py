"""langsbx execute: files that come back (--keep, --artifact) or are handed on (--setup), as root and as a user."""
import json
import os
import resource
import subprocess

from harness.case import contains, each, equal, expect, needs, only, slow

USER = 12345
OBSERVE = ("name: open\nlanguage: python\ndescription: Everything passes.\ncapabilities:\n  allow: [threads]\n"
           "seccomp: python\nnetwork: none\nstages: {guard: observe}\n")
WHO = {f"{tier}_{who}": (tier, uid) for tier in ("container", "light") for who, uid in (("root", 0), ("user", USER))}


class Runs:
    """The runtime in one tier as root or as a plain user; the current directory is `here`."""

    def __init__(self, it, tier, uid):
        self.it, self.tier, self.folder, self.here = it, tier, f"{it.folder}/runs", f"{it.folder}/here"
        for path in (self.folder, self.here):
            os.mkdir(path)
            os.chown(path, uid, uid)
        self.prefix = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--inh-caps=-all"] if uid else []
        self.write("open.yaml", OBSERVE)

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w", encoding="utf-8") as handle:
            handle.write(text)
        return f"{self.folder}/{name}"

    def run(self, code, *options):
        argv = [*self.prefix, self.it.rt.path, "--root", f"{self.folder}/state", "execute", "--isolation", self.tier,
                "--profile", f"{self.folder}/open.yaml", *options, self.write("main.py", code)]
        return self.it.rt(argv=argv, cwd=self.here, timeout=60, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": self.folder})

    def record(self, code, *options):
        result = self.run(code, "--json", *options)
        expect(result.out.startswith("{"), f"no record: {result.text[-600:]}")
        made = json.loads(result.out)
        equal(result.code, made["exit_code"], "exit status and record")
        return made


def blocks(folder):
    return sum(os.lstat(os.path.join(top, name)).st_blocks * 512 for top, _, names in os.walk(folder) for name in names)


HOLES = "import os\nfor n in range(20):\n    open('hole%02d' % n, 'w').close()\n    os.truncate('hole%02d' % n, 40 << 20)\n" \
        "with open('small', 'w') as out:\n    out.write('text')\nprint('made')\n"


@only("langsbx")
@needs("landlock:6")
@each(**WHO)
@slow(60)
def test_files_of_holes(it, where):
    """800 MB that take no room inside: what comes back is bounded by --disk, stays full of holes, and is not held in memory."""
    runs = Runs(it, *where)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    made = runs.record(HOLES, "--keep", "--artifact", "hole*", "--disk", "100M")
    equal((made["status"], made["stdout"], made["exit_code"]), ("completed", "made\n", 125), made["stderr"][-300:])
    equal([a["name"] for a in made["artifacts"]], ["hole00", "hole01"])
    equal(made["left_out"]["count"], 36, str(made["left_out"])[:300])
    contains(made["left_out"]["files"][0]["reason"], "together more than 104857600")
    equal(len(made["left_out"]["files"]), 20)
    kept = f"{runs.here}/{made['kept']}"
    equal(sorted(os.listdir(kept)), ["hole00", "hole01", "small"])
    equal((os.stat(f"{kept}/hole01").st_size, os.stat(f"{runs.here}/hole01").st_size), (40 << 20, 40 << 20))
    expect(blocks(runs.here) < 1 << 20, f"holes: {blocks(runs.here)}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    expect(peak == before or peak < 100 << 10, f"memory: {peak} KiB")
    text = runs.run(HOLES, "--artifact", "hole*", "--disk", "50M", "--artifact-dir", "out").text
    contains(text, "langsbx: left out: hole01: 41943040 bytes")


@only("langsbx")
@needs("landlock:6")
@each(**WHO)
@slow(60)
def test_files_are_counted(it, where):
    """Names of one file are files, too, and so are empty ones."""
    runs = Runs(it, *where)
    made = runs.record("for n in range(40):\n    try:\n        open('f%02d' % n, 'w').close()\n    except OSError:\n        pass\n", "--disk", "64K", "--keep")
    count = len(os.listdir(f"{runs.here}/{made['kept']}"))
    expect(count <= 32, f"{count} files for 64 KiB")
    if where[0] == "light":
        expect(made["left_out"]["count"] > 0 or made["killed"], made["left_out"])


@only("langsbx")
@needs("landlock:6")
@each(**WHO)
@slow(60)
def test_own_files_stay(it, where):
    runs = Runs(it, *where)
    with open(f"{runs.here}/notes.txt", "w", encoding="ascii") as handle:
        handle.write("mine")
    os.symlink("/nonexistent/target", f"{runs.here}/link.txt")
    code = "for name in ('notes.txt', 'link.txt', 'new.txt', 'given.txt'):\n    open(name, 'a').write('theirs')\n"
    given = runs.write("given.txt", "given")
    made = runs.record(code, "--artifact", "*", "--input", given)
    equal((sorted(a["name"] for a in made["artifacts"]), sorted(f["name"] for f in made["left_out"]["files"])),
          (["given.txt", "new.txt"], ["link.txt", "notes.txt"]), made["stderr"])
    equal((made["status"], made["exit_code"]), ("completed", 125), "no success")
    with open(f"{runs.here}/notes.txt", encoding="ascii") as handle:
        equal(handle.read(), "mine")
    equal(os.readlink(f"{runs.here}/link.txt"), "/nonexistent/target")
    equal(sorted(os.listdir(runs.here)), ["given.txt", "link.txt", "new.txt", "notes.txt"])
    # The same once more: what arrived is there already. A failure of the program stays its own.
    again = runs.record(code + "raise SystemExit(7)\n", "--artifact", "[gn]*.txt", "--input", given)
    equal((sorted(a["name"] for a in again["artifacts"]), again["exit_code"]), (["given.txt", "new.txt"], 7), again["left_out"])
    for text in ("first", "second"):
        made = runs.record(f"open('new.txt', 'w').write('{text}')\n", "--artifact", "*", "--artifact-dir", "results")
        equal((made["exit_code"], [a["name"] for a in made["artifacts"]]), (0, ["new.txt"]), made["left_out"])
        with open(f"{runs.here}/results/new.txt", encoding="ascii") as handle:
            equal(handle.read(), text)
    equal(os.listdir(f"{runs.here}/results"), ["new.txt"])
    runs.run(code, "--artifact-dir", "results").fails("--artifact-dir needs --artifact")


@only("langsbx")
@needs("root", "landlock:6")
@each(container="container", light="light")
def test_a_full_disk_leaves_nothing(it, tier):
    runs = Runs(it, tier, 0)
    code = "for name in ('a', 'b', 'c'):\n    open(name, 'wb').write(bytes(range(256)) * 4096)\n"
    small = f"{runs.here}/small"
    os.mkdir(small)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2M", "tmpfs", small], check=True)
    try:
        for options in (("--artifact", "*"), ("--keep",), ("--artifact", "*", "--artifact-dir", ".")):
            argv = [it.rt.path, "--root", f"{runs.folder}/state", "execute", "--isolation", tier, "--profile", f"{runs.folder}/open.yaml",
                    *options, runs.write("main.py", code)]
            result = it.rt(argv=argv, cwd=small, timeout=60, env={"PATH": "/usr/bin:/bin", "TMPDIR": runs.folder})
            equal((result.code, os.listdir(small)), (125, []), result.text[-300:])
            contains(result.text, "no space left on device")
    finally:
        subprocess.run(["umount", small], check=True)


@only("langsbx")
@needs("landlock:6")
@each(**WHO)
@slow(60)
def test_what_setup_left_is_whole(it, where):
    runs = Runs(it, *where)
    code = "import os\nprint(os.stat('hole').st_size, os.stat('hole').st_blocks, open('below/deep/a').read())\nopen('below/deep/b', 'w').close()\n" \
           "print(os.stat('below').st_uid == os.getuid(), open('given.txt').read())\n"
    given = runs.write("given.txt", "given")
    made = runs.record(code, "--input", given, "--setup", "mkdir -p below/deep; printf word > below/deep/a; truncate -s 20M hole")
    equal(made["stdout"], f"{20 << 20} 0 word\nTrue given\n", made["stderr"][-400:])
    result = runs.run(code, "--setup", "truncate -s 60M a; truncate -s 60M b")
    equal(result.code, 125, result.text)
    contains(result.text, "--setup: b: 62914560 bytes")
