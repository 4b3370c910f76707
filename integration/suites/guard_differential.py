"""The guard's scanner beside the compilers' own: the same names at the same places.

What the scanner refuses is not compared: a refusal is safe, a name that it does not see is not."""
import glob
import json
import os
import re
import subprocess

from harness.case import Skip, expect, needs, only, slow

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TESTS = f"{ROOT}/tests/languages"
MOST = 300  # files
DUMP = "tests/languages/scanner_dump"


def scanner_dump(it):
    """Built beside the runtime, as the tests are."""
    build = os.path.join(os.path.dirname(os.path.realpath(it.settings.built)), "../..")
    for folder in ("", "../debug/", "../asan/"):
        path = f"{build}/{folder}{DUMP}"
        if os.path.exists(path):
            return path
    raise Skip(f"{DUMP} is not built")


def written(it, texts, extension):
    paths = []
    for number, text in enumerate(texts):
        paths.append(f"{it.folder}/{number}{extension}")
        with open(paths[-1], "w", encoding="utf-8") as handle:
            handle.write(text)
    return paths


def case_texts(language):
    """The evasions and ordinary programs of the judges' tests."""
    for path in sorted(glob.glob(f"{TESTS}/cases/{language}.txt") + glob.glob(f"{TESTS}/cases/{language}_*.txt")):
        wrap, named = "@", False
        with open(path, encoding="utf-8") as handle:
            for line in handle.read().splitlines():
                if line.startswith("%% wrap "):
                    wrap = line[8:]
                elif line.startswith("%% "):
                    wrap, named = "@", line.startswith("%% refuse")
                elif line:
                    if named:  # "go-cgo: import ..."
                        line = line.split(": ", 1)[1]
                    yield wrap.replace("@", line, 1).replace("␤", "\n")


def parsed(output):
    """{file: names by offset}; None for a file with errors."""
    found, names = {}, None
    for line in output.split("\n"):
        if line.startswith("file ") and " errors " in line:
            file, errors = line[5:].rsplit(" errors ", 1)
            names = {} if errors == "0" else None
            found[file] = names
        elif line and names is not None:
            at, name = line.split(" ", 1)
            names[int(at)] = name
    return found


def run(argv, **more):
    return subprocess.run(argv, check=True, capture_output=True, text=True, errors="replace", **more).stdout


def without_directives(file, names):
    if names is None:
        return None
    with open(file, "rb") as handle:
        text = handle.read()
    line = lambda at: text[text.rfind(b"\n", 0, at) + 1:at]
    return {at: name for at, name in names.items()
            if not re.match(rb"\s*#\s*(include|import|embed|if|elif|error|warning|$)", line(at))}


def compare(it, language, files, expected, least):
    ours = parsed(run([scanner_dump(it), language, *files]))
    if language in ("c", "cpp"):
        ours = {file: without_directives(file, names) for file, names in ours.items()}
        expected = {file: without_directives(file, names) for file, names in expected.items()}
    compared = 0
    for file in files:
        if ours[file] is None or expected.get(file) is None:
            continue
        compared += 1
        # C++ literal suffixes are names of their own to us: there, only what is missed counts.
        places = set(expected[file]) | (set() if language in ("c", "cpp") else set(ours[file]))
        for at in sorted(places):
            pair = ours[file].get(at), expected[file].get(at)
            expect(pair[0] == pair[1], f"{file}: at {at} the scanner sees {pair[0]!r}, the compiler {pair[1]!r}")
    expect(compared >= least, f"only {compared} of {len(files)} files were compared")


@only("langsbx")
@needs("program:go")
@slow(300)
def test_go(it):
    cache = {**os.environ, "GOCACHE": f"{it.folder}/cache", "GOFLAGS": "", "GOPROXY": "off", "GO111MODULE": "off",
             "HOME": it.folder}
    root = run(["go", "env", "GOROOT"], env=cache).strip()
    files = sorted(glob.glob(f"{root}/src/*/*.go"))[:MOST] + written(it, case_texts("go"), ".go")
    tool = f"{it.folder}/scanner_tokens"
    run(["go", "build", "-o", tool, f"{TESTS}/go/scanner_tokens.go"], env=cache)
    compare(it, "go", files, parsed(run([tool, *files])), 100)


@only("langsbx")
@needs("program:gofmt")
@slow(120)
def test_gofmt(it):
    """What gofmt can read, the scanner reads."""
    root = os.path.realpath("/usr/lib/go")
    files = sorted(glob.glob(f"{root}/src/*/*.go"))[:MOST] + written(it, case_texts("go"), ".go")
    bad = subprocess.run(["gofmt", "-e", "-l", *files], capture_output=True, text=True, check=False).stderr
    ours = parsed(run([scanner_dump(it), "go", *files]))
    for file in files:
        expect(ours[file] is not None or file in bad, f"{file}: gofmt reads it, the scanner does not")


def clang_names(file, standard):
    """Raw tokens have a line and a column. Lines whose names are headers or text are left out on both sides."""
    output = subprocess.run(["clang", "-fsyntax-only", *standard, "-Xclang", "-dump-raw-tokens", file],
                            capture_output=True, text=True, errors="replace", check=False).stderr
    with open(file, "rb") as handle:
        lines = handle.read().split(b"\n")
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    names = {}
    for line in output.splitlines():
        if not line.startswith("raw_identifier '") or "Loc=<" not in line:
            continue
        name = line[16:line.index("'", 16)]
        row, column = line[line.index("Loc=<") + 5:-1].split(":")[-2:]
        names[starts[int(row) - 1] + int(column) - 1] = name
    return names


@only("langsbx")
@needs("program:clang")
@slow(240)
def test_c(it):
    files = sorted(glob.glob(f"{ROOT}/integration/probe/*.c")) + sorted(glob.glob("/usr/include/*.h"))[:30]
    files += written(it, list(case_texts("c"))[-60:], ".c")
    compare(it, "c", files, {file: clang_names(file, ["-x", "c", "-std=c17"]) for file in files}, 15)


@only("langsbx")
@needs("program:clang")
@slow(240)
def test_cpp(it):
    files = sorted(glob.glob(f"{ROOT}/languages/*/*.cc"))[:40]
    files += written(it, list(case_texts("cpp"))[-60:], ".cc")
    compare(it, "cpp", files, {file: clang_names(file, ["-x", "c++", "-std=c++20"]) for file in files}, 40)


@only("langsbx")
@needs("program:javac", "program:java")
@slow(300)
def test_java(it):
    texts = list(case_texts("java"))
    for name in ("java_evasion", "java_clean"):
        with open(f"{TESTS}/data/{name}.jsonl", encoding="utf-8") as handle:
            texts += [json.loads(line)["source"] for line in handle]
    files = written(it, texts, ".java")
    exports = []
    for package in ("parser", "util"):
        exports += ["--add-exports", f"jdk.compiler/com.sun.tools.javac.{package}=ALL-UNNAMED"]
    output = run(["java", *exports, f"{TESTS}/java/JavacTokens.java", *files])
    compare(it, "java", files, parsed(output), 200)


@only("langsbx")
@needs("program:node")
@slow(240)
def test_javascript(it):
    files = sorted(filter(os.path.isfile, glob.glob("/usr/share/nodejs/**/*.js", recursive=True)))[:MOST]
    files += written(it, case_texts("javascript"), ".js")
    probe = subprocess.run(["node", "--expose-internals", "-e", "require('internal/deps/acorn/acorn/dist/acorn')"],
                           capture_output=True, check=False)
    if probe.returncode != 0:
        raise Skip("this node has no acorn inside")
    output = run(["node", "--expose-internals", f"{TESTS}/javascript/acorn_tokens.js", *files])
    compare(it, "javascript", files, parsed(output), 100)
