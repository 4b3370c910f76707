"""langsbx validate: files, directories, local files that a program pulls in, the formats."""
import json
import os
import resource
import subprocess

from harness.case import contains, each, equal, expect, only

MODULE = {"go.mod": "module example.com/me\n\ngo 1.19\n",
          "main.go": 'package main\n\nimport "example.com/me/lib"\n\nfunc main() { lib.F() }\n',
          "lib/lib.go": "package lib\n\nfunc F() {}\n"}
HARM = 'package lib\n\nimport _ "os/exec"\n'


def files(it, content):
    for name, text in content.items():
        path = f"{it.folder}/src/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(text)
    return f"{it.folder}/src"


@only("langsbx")
@each(clean=({}, 0, ""),
      harm=({"lib/lib.go": HARM}, 1, "lib/lib.go:3:"),
      sibling=({"lib/other.go": HARM}, 1, "lib/other.go:3:"),
      test_file=({"lib/lib_test.go": HARM}, 0, ""),
      assembly=({"lib/f_amd64.s": "RET\n"}, 1, "would be compiled"),
      object=({"lib/x.syso": "x"}, 1, "would be compiled"),
      replaced=({"go.mod": MODULE["go.mod"] + "replace example.com/me/lib => /evil\n"}, 1, "example.com/me/lib"),
      no_module=({"go.mod": "go 1.19\n"}, 1, "example.com/me/lib"),
      other_module=({"main.go": 'package main\n\nimport "example.com/other"\n'}, 1, "example.com/other"),
      missing=({"main.go": 'package main\n\nimport "example.com/me/nothing"\n'}, 1, "example.com/me/nothing"))
def test_go_module(it, variant):
    changed, code, text = variant
    result = it.rt("validate", files(it, {**MODULE, **changed}) + "/main.go")
    equal(result.code, code, result.text)
    contains(result.text, text)


@only("langsbx")
@each(javascript={"main.js": "require('./a')\n", "a.js": "import('./b.mjs')\n", "b.mjs": "import 'child_process'\n"},
      java={"Main.java": "class Main { Helper h; }\n", "Helper.java": "class Helper { ProcessBuilder b; }\n"},
      c={"main.c": '#include "a.h"\nint main() {}\n', "a.h": 'int f() { return system("id"); }\n'},
      rust={"main.rs": "mod a;\nfn main() {}\n", "a.rs": "use std::process::Command;\n"})
def test_local_files_are_judged(it, content):
    folder = files(it, content)
    harmful = list(content)[-1]
    contains(it.rt("validate", f"{folder}/{next(iter(content))}").text, f"{harmful}:1:")
    os.unlink(f"{folder}/{harmful}")
    if harmful != "Helper.java":  # a class that is not there is the library's, or does not compile
        equal(it.rt("validate", f"{folder}/{next(iter(content))}").code, 1)


@only("langsbx")
def test_directory(it):
    folder = files(it, {f"d{n}/f{n}.py": "import os\nos.system('x')\n" if n % 5 == 0 else "print(1)\n" for n in range(40)})
    result = it.rt("validate", folder)
    equal(result.code, 1)
    contains(result.err, "40 files judged, 8 refused")
    equal([line.split("/")[-1].split(":")[0] for line in result.out.splitlines() if ": error: " in line],
          sorted(f"f{n}.py" for n in range(0, 40, 5)))


PACKAGE = {"pkg/__init__.py": "", "pkg/sub/__init__.py": "", "pkg/sub/run.py": "from pkg.other import f\nprint(f())\n",
           "pkg/other.py": "def f(): return 1\n"}


@only("langsbx")
@each(directory=("", {}, 0, ""), file=("/pkg/sub/run.py", {}, 0, ""), package=("/pkg", {}, 0, ""), inner=("/pkg/sub", {}, 0, ""),
      harmful=("/pkg/sub/run.py", {"pkg/other.py": "import os\ndef f(): os.system('x')\n"}, 1, "pkg/other.py:2:"),
      no_package=("/pkg/sub/run.py", {"pkg/sub/__init__.py": None}, 1, "imports pkg.other"),
      missing=("", {"pkg/sub/run.py": "import other_pkg.x\n"}, 1, "imports other_pkg.x"))
def test_packages_of_the_program(it, variant):
    what, changed, code, text = variant
    folder = files(it, {name: content for name, content in {**PACKAGE, **changed}.items() if content is not None})
    result = it.rt("validate", folder + what)
    equal(result.code, code, result.text)
    contains(result.text, text)


@only("langsbx")
def test_sarif(it):
    folder = files(it, {"a b.py": "import os\nos.system('x')\n", "ünï.js": "eval('1')\n", "ok.go": "package main\n"})
    log = json.loads(it.rt("validate", "--format", "sarif", folder).out)
    equal((log["version"], list(log)[0]), ("2.1.0", "$schema"))
    [run] = log["runs"]
    equal(run["tool"]["driver"]["name"], "langsbx")
    expect(run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints"), "columnKind")
    rules = run["tool"]["driver"]["rules"]
    equal(len({rule["id"] for rule in rules}), len(rules), "rule ids are unique")
    expect(run["results"], "no results")
    for result in run["results"]:
        equal(rules[result["ruleIndex"]]["id"], result["ruleId"])
        expect(result["level"] in ("none", "note", "warning", "error"), "level")
        expect(result["message"]["text"], "message")
        for location in result["locations"]:
            place = location["physicalLocation"]
            uri = place["artifactLocation"]["uri"]
            expect(" " not in uri and uri.isascii() and uri.startswith("file:///"), uri)
            expect(min(place["region"]["startLine"], place["region"]["startColumn"]) >= 1, "region")


@only("langsbx")
@each(usage=(["--format", "xml", "/dev/null"], 2), language=(["--language", "cobol", "/dev/null"], 2),
      missing=(["/nonexistent/x.py"], 2))
def test_usage(it, variant):
    arguments, code = variant
    equal(it.rt("validate", *arguments).code, code)


@only("langsbx")
@each(zeros=b"\0", brackets=b"((((", strings=b"\"a\" ")
def test_hundred_megabytes_end_soon(it, piece):
    path = f"{it.folder}/big.c"
    with open(path, "wb") as handle:
        handle.write(piece * (100_000_000 // len(piece)))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = it.rt("validate", path)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    equal(result.code, 1)
    contains(result.out, "[source-too-large]")
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    expect(spent < 5, f"{spent} s of processor time")
    expect(after.ru_maxrss < 300_000, f"{after.ru_maxrss} kB")
    os.unlink(path)


@only("langsbx")
@each(backquotes=("sh", "`"), words=("sh", "a "), wrappers=("sh", "xargs "), growing=("sh", "a=\"$a x\"\nrm $a\n"),
      evals=("sh", "eval 'a=1'\n"), openers=("py", "def f(p): f(p); open(p)\n"), templates=("py", "t='{}'\nt.format(1)\n"),
      timed=("py", "import timeit\na='1'\ntimeit.timeit(f'{a}{a}')\n"))
def test_four_megabytes_end_soon(it, variant):
    """The largest source that is judged at all, in a few hundred megabytes: more is refused by the kernel here."""
    extension, piece = variant
    path = f"{it.folder}/big.{extension}"
    with open(path, "w", encoding="ascii") as handle:
        handle.write(piece * (4_190_000 // len(piece)))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(["prlimit", "--as=1000000000", it.rt.path, "validate", path], capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    expect(result.returncode in (0, 1), result.stderr.decode())
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    expect(spent < 5, f"{spent} s of processor time")
    os.unlink(path)
