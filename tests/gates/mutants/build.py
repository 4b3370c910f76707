"""Chooses mistakes at random and builds one program that holds them all, switched off."""
import os
import random
import re
import subprocess

import sites

MOST_ROUNDS = 12
TARGETS = {"debug": [], "release": ["langsbx", "langsbxd"]}  # of debug all, for the unit tests


def sources(top, folders):
    out = subprocess.run(["git", "-C", top, "ls-files", *[f"{f}/*.cc" for f in folders]],
                         check=True, capture_output=True, text=True).stdout.split()
    return sorted(path for path in out if "/fixtures/" not in path)


def overlaps(site, chosen):
    return any(site.path == other.path and site.begin < other.end and other.begin < site.end for other in chosen)


def choose(top, folders, count, seed):
    """`count` sites, each kind as likely as the others, no two in the same place."""
    by_kind = {}
    for path in sources(top, folders):
        with open(f"{top}/{path}", encoding="utf-8") as handle:
            for site in sites.sites_of(path, handle.read()):
                by_kind.setdefault(site.kind, []).append(site)
    dice, chosen = random.Random(seed), []
    for kind in sorted(by_kind):
        dice.shuffle(by_kind[kind])
    while len(chosen) < count and any(by_kind.values()):
        pile = by_kind[dice.choice(sorted(kind for kind, pile in by_kind.items() if pile))]
        site = pile.pop()
        if not overlaps(site, chosen):
            chosen.append(site)
    return chosen


def listed(top):
    """What git knows, and what is new and not ignored."""
    out = subprocess.run(["git", "-C", top, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                         check=True, capture_output=True, text=True).stdout.split("\0")
    return [path for path in out if path and os.path.isfile(f"{top}/{path}")]


def put(path, data, mode):
    """Writes a file unless it is the same already: an unchanged one is not compiled again."""
    if os.path.isfile(path):
        with open(path, "rb") as handle:
            if handle.read() == data:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as handle:
        handle.write(data)
    os.chmod(path, mode)


def write(top, tree, chosen):
    """The sources with the mistakes in them, in a tree of their own."""
    files = {}
    for number, site in chosen.items():
        files.setdefault(site.path, {})[number] = site
    wanted = listed(top)
    for path in wanted:
        with open(f"{top}/{path}", "rb") as handle:
            data = handle.read()
        if path in files:
            data = sites.written(data.decode(), files[path]).encode()
        put(f"{tree}/{path}", data, os.stat(f"{top}/{path}").st_mode & 0o777)
    remove_others(tree, set(wanted))


def remove_others(tree, wanted):
    for folder, folders, names in os.walk(tree):
        if folder == tree:
            folders[:] = [name for name in folders if name != "build"]
        for name in names:
            path = os.path.join(folder, name)
            if os.path.relpath(path, tree) not in wanted:
                os.remove(path)


def compile_all(tree, preset, jobs):
    """The compiler's complaints as {(path, line)}; empty: built."""
    build = f"{tree}/build/{preset}"
    if not os.path.exists(f"{build}/build.ninja"):
        subprocess.run(["cmake", "--preset", preset], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    made = subprocess.run(["ninja", "-C", build, "-k", "0", "-j", str(jobs)] + TARGETS[preset],
                          capture_output=True, text=True, check=False)
    if made.returncode == 0:
        return set()
    if made.returncode < 0:
        raise SystemExit("mutants: the build was ended from outside")
    found = set(re.findall(r"(?m)^\S*?((?:runtime|oci|languages|cmd)/\S+?\.cc):(\d+):(?:\d+:)? (?:fatal )?error:", made.stdout))
    found |= set(re.findall(r"(?m)^\S*?((?:runtime|oci|languages|cmd)/\S+?\.cc):(\d+):\d+:   (?:in|required)", made.stdout))
    # Where the macro itself is what is wrong, as in a constant expression, the line is named behind it.
    found |= set(re.findall(r"(?m)^\S*?((?:runtime|oci|languages|cmd)/\S+?\.cc):(\d+):\d+: note: in expansion of macro \S?LANGSBX_MUTANT",
                            made.stdout))
    if not found:
        raise SystemExit(f"mutants: the tree does not build:\n{made.stdout[-3000:]}")
    return {(path, int(line)) for path, line in found}


def drop(chosen, complaints):
    """Mistakes that are no C++ go: those of the complained line, or all of a file that has none there."""
    for path in {path for path, _ in complaints}:
        lines = {line for where, line in complaints if where == path}
        here = {n: s for n, s in chosen.items() if s.path == path}
        near = {n for n, s in here.items() if any(abs(s.line - line) <= 3 for line in lines)} or set(here)
        for number in near:
            del chosen[number]


def make(top, tree, folders, count, seed, jobs, presets=("debug", "release")):
    """{number: site} of `count` mistakes that compile, built in tree/build/PRESET."""
    spare = choose(top, folders, count * 2, seed)
    chosen = dict(enumerate(spare[:count], 1))
    rest = spare[count:]
    os.makedirs(tree, exist_ok=True)
    for _ in range(MOST_ROUNDS):
        write(top, tree, chosen)
        complaints = next(filter(None, (compile_all(tree, preset, jobs) for preset in presets)), None)
        if not complaints:
            return chosen
        drop(chosen, complaints)
        while len(chosen) < count and rest:
            chosen[next(n for n in range(1, count + 1) if n not in chosen)] = rest.pop(0)
    raise SystemExit("mutants: too many mistakes that do not compile")
