"""The section `guard`: how fast source is judged, beside what else reads it. Each program has a few seconds: it is given
more files until half a second has gone by."""
import os
import random
import resource
import shutil
import subprocess
import sys
import sysconfig
import time

from contender import REPOSITORY
from measure import summary
from starting import python_source

BUDGET = 8.0  # seconds that one call may take
ENOUGH = 0.5  # seconds of processor time that tell a rate
LARGEST = 200_000  # bytes of one file
MOST = 4_000_000  # bytes of all files of a language
MOST_NAMES = 8_000  # files of one call; they are named again when there are fewer

AST = "import ast, sys\nfor name in sys.argv[1:]:\n    try: ast.parse(open(name, 'rb').read())\n    except SyntaxError: pass"
EACH = ["sh", "-c", 'for file; do bash -n "$file"; done', "sh"]
RIVALS = {
    "python": {"CPython ast": ["python3", "-c", AST], "bandit": ["bandit", "-q"]},
    "bash": {"bash -n": EACH, "shellcheck": ["shellcheck"]},
    "c": {"gcc -fsyntax-only": ["gcc", "-fsyntax-only"]},
    "go": {"gofmt -l": ["gofmt", "-l"]},
}


def tree_sitter(language):
    """Its parser with the grammar of the language, by the npm registry; None where that can't be had."""
    work = f"{REPOSITORY}/build/tree-sitter"
    program = f"{work}/dump-{language}"
    if language in ("c", "go") and not os.path.exists(program) and shutil.which("npm"):
        built = subprocess.run([f"{REPOSITORY}/tests/languages/tree_sitter/compare", "--work", work, language],
                               stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
        if built.returncode != 0:
            print(f"bench: tree-sitter's {language} is left out: {built.stderr.strip()[-200:]}", file=sys.stderr)
    return [program, "-q"] if os.path.exists(program) else None


def shell_source(size):
    return "".join(f"value_{n}=$(( {n} * 3 ))\nif [ \"$value_{n}\" -gt 7 ]; then echo \"step {n}: ${{value_{n}}}\"; fi\n"
                   for n in range(size // 95 + 1))


def c_source(size):
    return "#include <stdio.h>\n" + "".join(
        f"static int step_{n}(int a, int b) {{\n  int total = 0;\n  for (int i = 0; i < a; ++i) total += i * b;\n"
        f"  return total + {n};\n}}\n" for n in range(size // 125 + 1)) + "int main(void) { return step_0(1, 2); }\n"


def go_source(size):
    return "package main\n\nimport \"fmt\"\n\n" + "".join(
        f"func step{n}(a int, b int) int {{\n\ttotal := 0\n\tfor i := 0; i < a; i++ {{\n\t\ttotal += i * b\n\t}}\n"
        f"\treturn total + {n}\n}}\n" for n in range(size // 115 + 1)) + "func main() { fmt.Println(step0(1, 2)) }\n"


MADE = {"python": ("py", python_source), "bash": ("sh", shell_source), "c": ("c", c_source), "go": ("go", go_source)}


def is_script(path):
    try:
        with open(path, "rb") as handle:
            first = handle.readline(64)
    except OSError:
        return False
    return first.startswith(b"#!") and first.split(b"/")[-1].split()[:1] in ([b"sh"], [b"bash"])


def found(language):
    """Real sources that this machine has."""
    places, wanted = {
        "python": ([sysconfig.get_paths()["stdlib"]], lambda path: path.endswith(".py")),
        "bash": (["/usr/bin", "/usr/sbin", "/usr/lib/git-core", "/usr/share"], is_script),
        "go": (["/usr/lib/go/src", "/usr/share/go-1.19/src"], lambda path: path.endswith(".go") and "testdata" not in path),
    }.get(language, ([], None))
    paths = [os.path.join(folder, name) for place in places for folder, _, names in os.walk(place) for name in names]
    paths = sorted(path for path in paths if os.path.isfile(path) and 500 < os.path.getsize(path) < LARGEST and wanted(path))
    random.Random(1).shuffle(paths)
    kept, size = [], 0
    for path in paths:
        size += os.path.getsize(path)
        if size > MOST:
            break
        kept.append(path)
    return kept


def run(words):
    """Processor seconds of one call; None when it takes longer than it may."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=BUDGET, check=False)
    except subprocess.TimeoutExpired:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def rate(words, files, start):
    """MB/s of processor time beyond what starting takes (`bash -n` starts once a file: there it counts); a text when
    no call came to an end."""
    if words == EACH:
        start = 0
    count, best = 1, f"one file in more than {BUDGET:.0f} s"
    while True:
        named = (files * (count // len(files) + 1))[:count]
        took = run([*words, *named])
        if took is None:
            return best
        if took - start > start / 10:
            best = round(sum(os.path.getsize(path) for path in named) / 1e6 / (took - start), 2)
        if took > ENOUGH or count >= MOST_NAMES:
            return best
        count = min(MOST_NAMES, count * 4)


def guard(bench):
    """MB/s of processor time over real files (made ones where the machine has none), and the wall time of a whole
    process on one file of 5 kB."""
    folder = f"{bench.lab.folder}/sources"
    os.makedirs(folder, exist_ok=True)
    result = {}
    for language, (extension, make) in MADE.items():
        small = f"{folder}/small.{extension}"
        with open(small, "w", encoding="ascii") as handle:
            handle.write(make(5000))
        # Under names of their own: what they import is not beside them, so each is judged by itself.
        files = []
        for number, path in enumerate(found(language)):
            files.append(shutil.copyfile(path, f"{folder}/real_{number}.{extension}"))
        if not files:
            files = [f"{folder}/large.{extension}"]
            with open(files[0], "w", encoding="ascii") as handle:
                handle.write(make(1 << 20))
        programs = {"langsbx": [bench.runtime, "validate", "--language", language]}
        programs.update({name: words for name, words in RIVALS[language].items() if shutil.which(words[0])})
        parser = tree_sitter(language)
        if parser is not None:
            programs["tree-sitter"] = parser
        for title, words in programs.items():
            calls, begin = [], time.monotonic()
            while len(calls) < 2 or (len(calls) < 21 and time.monotonic() - begin < BUDGET / 4):
                calls.append(bench.meter([*words, small], accept=("0", "1")))
            start = sorted(call["processor"] for call in calls[1:])[len(calls[1:]) // 2] / 1000
            took = summary(calls[1:])
            result[f"{language}: {title}"] = {"ms for 5 kB": took["wall"], "ms at best": took["wall_best"],
                                              "MB/s": rate(words, files, start)}
    return result


SECTIONS = {"guard": guard}
