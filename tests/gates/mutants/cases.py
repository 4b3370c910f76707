#!/usr/bin/env python3
"""Runs integration cases one after the other: cases.py WANTED REPORT RUNTIME [SEEN]

WANTED holds the cases' names, in the order in which they run. REPORT gets a line for each, [name, status, seconds, numbers], the
mistakes that the case came across where SEEN is named; without SEEN the first failure is the last case."""
import json
import os
import runpy
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
INTEGRATION = os.path.abspath(f"{HERE}/../../../integration")
sys.path[:0] = [INTEGRATION, f"{INTEGRATION}/../tests/gates", HERE]
import programs  # noqa: E402
from harness import runner  # noqa: E402


def main():
    with open(sys.argv[1], encoding="utf-8") as handle:
        wanted = {name: place for place, name in enumerate(handle.read().split())}
    with open(sys.argv[2], "a", encoding="utf-8") as out:
        seen = programs.Seen(sys.argv[4]) if len(sys.argv) > 4 else None
        one_by_one(wanted, out, seen)
        sys.argv = [f"{INTEGRATION}/run.py", "--once", "-q", "-j1", "--runtime", sys.argv[3]]
        runpy.run_path(sys.argv[0], run_name="__main__")


def one_by_one(wanted, out, seen):
    ordinary = runner.run_once

    def run_once(queue, settings, _jobs, report):
        queue = sorted((item for item in queue if item[1].name in wanted), key=lambda item: wanted[item[1].name])

        def noted(verdict):
            numbers = seen.numbers() if seen else []
            out.write(json.dumps([verdict.name, verdict.status, round(verdict.seconds, 2), numbers]) + "\n")
            out.flush()
            if seen:
                seen.clear()
            elif verdict.status == "FAIL":
                queue.clear()
            report(verdict)
        return ordinary(queue, settings, 1, noted)
    runner.run_once = run_once


if __name__ == "__main__":
    main()
