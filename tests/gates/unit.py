#!/usr/bin/env python3
"""Runs the unit tests of one build folder in parallel and prints one closing line with all their cases."""
import glob
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml


def reports_of_each(results):
    """The reports of each executable, oldest first: one that failed was run a second time (name.xml, name_1.xml)."""
    reports = {}
    for path in sorted(glob.glob(f"{results}/*.xml"), key=os.path.getmtime):
        reports.setdefault(re.sub(r"(_\d+)?\.xml$", "", path), []).append(path)
    return reports.values()


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


def main():
    build, jobs = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else str(os.cpu_count())
    with tempfile.TemporaryDirectory() as results:
        env = dict(os.environ, GTEST_OUTPUT=f"xml:{results}/", GTEST_COLOR="no")
        status = subprocess.run(["ctest", "--test-dir", build, "-j", jobs, "--output-on-failure",
                                 "--timeout", "600", "--repeat", "until-pass:2", "--no-tests=error"], env=env, check=False).returncode
        counts = {"passed": 0, "failed": 0, "skipped": 0}
        for reports in reports_of_each(results):
            runs = [verdicts(path) for path in reports]
            for name, verdict in runs[-1].items():
                counts[verdict] += 1
                if verdict == "passed" and any(earlier.get(name) == "failed" for earlier in runs[:-1]):
                    print(f"unsteady {name}: failed at first")
    # A crash writes no XML: ctest knows about it, the sum has to as well.
    if status != 0 and counts["failed"] == 0:
        counts["failed"] = 1
    print(f"unit tests in {build}: {counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
