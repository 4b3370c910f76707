"""Chooses mistakes at random and builds one program that holds them all, switched off."""
import os
import random
import re
import shutil
import subprocess

import sites

MOST_ROUNDS = 12


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


def write(top, tree, chosen):
    """Lays the mistakes into the copied tree; a file without any is as in the original."""
    files = {}
    for number, site in chosen.items():
        files.setdefault(site.path, {})[number] = site
    touched = f"{tree}/.touched"
    before = set()
    if os.path.exists(touched):
        with open(touched, encoding="utf-8") as handle:
            before = set(handle.read().split())
    for path in sorted(before | set(files)):
        with open(f"{top}/{path}", encoding="utf-8") as handle:
            text = sites.written(handle.read(), files[path]) if path in files else handle.read()
        with open(f"{tree}/{path}", "r+", encoding="utf-8") as handle:
            if handle.read() != text:
                handle.seek(0)
                handle.truncate()
                handle.write(text)
    with open(touched, "w", encoding="utf-8") as handle:
        handle.write("\n".join(sorted(files)))


def copy(top, tree):
    """What git knows, in a folder of its own."""
    shutil.rmtree(tree, ignore_errors=True)
    os.makedirs(tree)
    listed = subprocess.run(["git", "-C", top, "ls-files", "-z"], check=True, capture_output=True).stdout
    subprocess.run(["tar", "-C", top, "--null", "-T", "-", "-cf", f"{tree}.tar"], input=listed, check=True)
    subprocess.run(["tar", "-C", tree, "-xf", f"{tree}.tar"], check=True)
    os.remove(f"{tree}.tar")


def compile_all(tree, preset, jobs):
    """The compiler's complaints as {(path, line)}; empty: built."""
    build = f"{tree}/build/{preset}"
    if not os.path.exists(f"{build}/build.ninja"):
        subprocess.run(["cmake", "--preset", preset], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    made = subprocess.run(["ninja", "-C", build, "-k", "0", "-j", str(jobs)] + (["langsbx"] if preset == "release" else []),
                          capture_output=True, text=True, check=False)
    if made.returncode == 0:
        return set()
    if made.returncode < 0:
        raise SystemExit("mutants: the build was ended from outside")
    found = set(re.findall(r"(?m)^\S*?((?:runtime|oci|languages|cmd)/\S+?\.cc):(\d+):(?:\d+:)? (?:fatal )?error:", made.stdout))
    found |= set(re.findall(r"(?m)^\S*?((?:runtime|oci|languages|cmd)/\S+?\.cc):(\d+):\d+:   (?:in|required)", made.stdout))
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


def make(top, tree, folders, count, seed, jobs):
    """{number: site} of `count` mistakes that compile, built in tree/build/{debug,release}."""
    spare = choose(top, folders, count * 2, seed)
    chosen = dict(enumerate(spare[:count], 1))
    rest = spare[count:]
    copy(top, tree)
    for _ in range(MOST_ROUNDS):
        write(top, tree, chosen)
        complaints = compile_all(tree, "debug", jobs) or compile_all(tree, "release", jobs)
        if not complaints:
            return chosen
        drop(chosen, complaints)
        while len(chosen) < count and rest:
            chosen[next(n for n in range(1, count + 1) if n not in chosen)] = rest.pop(0)
    raise SystemExit("mutants: too many mistakes that do not compile")
