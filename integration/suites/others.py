"""The program that takes the results of suites of others."""
import json
import os
import subprocess

from harness.case import contains, equal, only

TAKE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "others", "take")
TAP = """1..6
ok 1 - plain
not ok 2 runc run [/proc/self/exe clone] # 0.02s
ok 3 left # SKIP no such thing
ok 4 - other #SKIP
not ok 5 broken\r
# (in test file)
"""
JUNIT = ('<testsuites><testsuite><testcase name="[BeforeSuite]"/><testcase name="[It] a"/><testcase name="[It] b"><failure/></testcase>'
         '<testcase name="c"><skipped/></testcase></testsuite></testsuites>')


def take(it, suite, name, text):
    with open(f"{it.folder}/{name}", "w", encoding="utf-8", newline="") as handle:
        handle.write(text)
    done = subprocess.run([TAKE, "--suite", suite, "--version", "v1", "--runtime", it.rt.path, "--results", it.folder,
                           f"{it.folder}/{name}"], capture_output=True, text=True, check=False)
    with open(f"{it.folder}/others.json", encoding="utf-8") as handle:
        return done, json.load(handle)


@only("langsbx")
def test_takes_tap(it):
    """Counted, the case that never came too; what has no reason is told and makes the status 1."""
    done, rows = take(it, "runc", "run.tap", TAP)
    equal([rows[0][key] for key in ("passed", "failed", "skipped")], [1, 3, 2])
    equal(done.returncode, 1)
    contains(done.stderr, "no line in reasons.json: run: broken")
    contains(done.stderr, "run: ended after 5 of 6 cases")
    equal("exe clone" in done.stderr, False, "it has a reason")
    with open(f"{it.folder}/README.md", encoding="utf-8") as handle:
        page = handle.read()
    contains(page, "| `run: runc run [/proc/self/exe clone]` | by design |")
    contains(page, "**unknown**")


@only("langsbx")
def test_takes_junit_and_replaces_a_row(it):
    take(it, "critest", "junit.xml", JUNIT)
    _, rows = take(it, "critest", "junit.xml", JUNIT)
    equal([(row["passed"], row["failed"], row["skipped"]) for row in rows], [(1, 1, 1)])
    equal(rows[0]["failing"], ["b"])
