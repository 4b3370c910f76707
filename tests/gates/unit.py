#!/usr/bin/env python3
"""Runs the unit tests of one build folder in parallel and prints one closing line with all their cases.

An executable that fails runs a second time, which tells a steady fault from an unsteady one. A case that passes only
the second time fails the run, unless unsteady.txt names it with the reason."""
import glob
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import unsteady


def verdicts(path):
    """{case: passed, failed or skipped}"""
    found = {}
    for case in xml.parse(path).getroot().iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        if case.find("failure") is not None or case.find("error") is not None:
            found[name] = "failed"
        elif case.get("result") == "skipped" or case.get("status") == "notrun":
            found[name] = "skipped"
        else:
            found[name] = "passed"
    return found


def run(build, jobs, *more):
    """ctest's status, and the verdicts of all cases that wrote one."""
    with tempfile.TemporaryDirectory() as results:
        env = dict(os.environ, GTEST_OUTPUT=f"xml:{results}/", GTEST_COLOR="no")
        status = subprocess.run(["ctest", "--test-dir", build, "-j", jobs, "--output-on-failure", "--timeout", "600",
                                 "--no-tests=error", *more], env=env, check=False).returncode
        found = {}
        for path in glob.glob(f"{results}/*.xml"):
            found.update(verdicts(path))
    return status, found


def main():
    build, jobs = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else str(os.cpu_count())
    status, found = run(build, jobs)
    failed = [name for name, verdict in found.items() if verdict == "failed"]
    # A crash writes no report: ctest knows about it, the sum has to as well.
    crashed = status != 0 and not failed
    if status != 0:
        excused = unsteady.excused()
        _, again = run(build, jobs, "--rerun-failed")
        for name in [name for name in failed if again.get(name) == "passed"]:
            print(f"unsteady {name}: failed, then passed: {excused.get(name, 'not excused by unsteady.txt')}")
            if name in excused:
                found[name] = "passed"
    counts = {verdict: list(found.values()).count(verdict) for verdict in ("passed", "failed", "skipped")}
    counts["failed"] += crashed
    print(f"unit tests in {build}: {counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
