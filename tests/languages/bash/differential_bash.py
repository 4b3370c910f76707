#!/usr/bin/env python3
"""Compares the Bash parser with bash -n (accept or refuse) and with shfmt (names of commands).

usage: differential_bash.py [--most N] [--mutate FOLDER] BASH_DUMP PATH...
       every shell script below the paths, or N of them; with --mutate also one broken copy of each,
       written to FOLDER, that we may not accept when bash refuses it. Exits 1 when any file differs. Without shfmt only bash -n is asked.
"""
import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys

SHEBANG = re.compile(rb"#!\s*(/usr)?/bin/(env\s+)?(ba|da)?sh\b")


def scripts(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, _, names in os.walk(path):
            for name in sorted(names):
                full = os.path.join(folder, name)
                if os.path.islink(full):
                    continue
                try:
                    with open(full, "rb") as file:
                        text = file.read()
                except OSError:
                    continue
                first = text.split(b"\n", 1)[0]
                named = name.endswith((".sh", ".bash")) and not first.startswith(b"#!")
                if (SHEBANG.match(first) or named) and b"\0" not in text:
                    yield full


def mutated(path, folder, number):
    """A copy with one byte of syntax gone, doubled or moved; the same for each run."""
    with open(path, "rb") as file:
        text = bytearray(file.read())
    choose = random.Random(number)
    places = [i for i, c in enumerate(text) if c in b"(){}[]'\"`$;|&<>\n"]
    if not places:
        return None
    at = choose.choice(places)
    kind = choose.randrange(3)
    if kind == 0:
        del text[at]
    elif kind == 1:
        text.insert(at, text[at])
    else:
        text[at] = choose.choice(b"(){};|&'\"`")
    name = os.path.join(folder, f"{number}.sh")
    with open(name, "wb") as file:
        file.write(text)
    return name


def ours(dump, mode, files):
    found = collections.defaultdict(list)
    for start in range(0, len(files), 500):
        part = files[start:start + 500]
        output = subprocess.run([dump, mode] + part, capture_output=True, check=True).stdout
        for line in output.decode("utf-8", "surrogateescape").split("\n"):
            path, tab, rest = line.partition("\t")
            if tab:
                found[path].append(rest)
    return found


def shfmt_names(path):
    """Plain first words of simple commands, or None when shfmt can't read the file."""
    with open(path, "rb") as file:
        done = subprocess.run(["shfmt", "-ln=bash", "-tojson"], stdin=file, capture_output=True)
    if done.returncode != 0:
        return None
    names = collections.Counter()
    todo = [json.loads(done.stdout)]
    while todo:
        node = todo.pop()
        if isinstance(node, list):
            todo.extend(node)
        elif isinstance(node, dict):
            todo.extend(node.values())
            kind = node.get("Type")
            if kind == "CallExpr" and node.get("Args"):
                parts = node["Args"][0]["Parts"]
                if len(parts) == 1 and parts[0]["Type"] == "Lit":
                    names[parts[0]["Value"]] += 1
            elif kind == "DeclClause":
                names[node["Variant"]["Value"]] += 1
            elif kind == "LetClause":
                names["let"] += 1
    return names


def bash_reads(path, *extra):
    return subprocess.run(["bash", *extra, "-n", path], capture_output=True,
                          stdin=subprocess.DEVNULL).returncode == 0


def options(arguments):
    most = folder = None
    while arguments and arguments[0].startswith("--"):
        name, value, *arguments = arguments
        if name == "--most":
            most = int(value)
        elif name == "--mutate":
            folder = value
        else:
            sys.exit(__doc__)
    if len(arguments) < 2:
        sys.exit(__doc__)
    files = list(scripts(arguments[1:]))
    if most is not None and len(files) > most:
        files = files[::len(files) // most + 1]
    broken = []
    if folder is not None:
        broken = list(filter(None, [mutated(path, folder, n) for n, path in enumerate(files)]))
    return arguments[0], files + broken, set(broken)


def main():
    dump, files, broken = options(sys.argv[1:])
    verdicts = ours(dump, "syntax", files)
    commands = ours(dump, "commands", files)
    shfmt = shutil.which("shfmt")
    differ = compared = total = 0
    for path in files:
        valid = bash_reads(path)
        asked = shfmt if path not in broken else None  # it reads some broken text otherwise than bash
        accepted = verdicts[path] == ["ok"]
        if path in broken and accepted and not valid:
            valid = bash_reads(path, "-O", "extglob")
        # bash -n lets pass what fails when it runs; we refuse that, which is the safe side.
        if valid != accepted and (accepted or path not in broken):
            differ += 1
            print(f"{path}: bash -n {'accepts' if valid else 'refuses'}, we: {verdicts[path]}")
        if not accepted or not asked:
            continue
        theirs = shfmt_names(path)
        if theirs is None:
            continue
        # Words with a backslash are one literal for shfmt and quoted parts for us.
        mine = collections.Counter(n for n in commands[path] if "\\" not in n)
        theirs = collections.Counter({n: c for n, c in theirs.items() if "\\" not in n})
        compared += 1
        total += sum(mine.values())
        if mine != theirs:
            differ += 1
            print(f"{path}: only we: {dict(mine - theirs)} only shfmt: {dict(theirs - mine)}")
    print(f"{len(files)} files, {compared} compared with shfmt, {total} commands, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
