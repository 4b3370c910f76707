#!/usr/bin/env python3
"""Puts single mistakes, chosen at random, into the program and counts how many the tests notice (see README.md)."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import build  # noqa: E402

TOP = os.path.abspath(f"{os.path.dirname(os.path.abspath(__file__))}/../../..")
FOLDERS = ["runtime", "oci", "languages"]
MARK = b"LANGSBX-MUTANT-CHOSEN\0"
MOST = 4096


def switch(path, number):
    """Writes the number of the mistake that is on into a program; 0: none."""
    with open(path, "r+b") as program:
        data = program.read()
        place = data.find(MARK)
        while place >= 0:
            program.seek(place + len(MARK))
            program.write(number.to_bytes(2, "little"))
            place = data.find(MARK, place + 1)


def carries(path):
    with open(path, "rb") as program:
        return MARK in program.read()


class Seen:
    """The file where a run notes the mistakes that it came across."""

    def __init__(self, scratch):
        self.path = f"{scratch}/seen"
        self.clear()

    def clear(self):
        with open(self.path, "wb") as handle:
            handle.write(bytes(MOST))
        os.chmod(self.path, 0o666)

    def numbers(self):
        with open(self.path, "rb") as handle:
            return {number for number, byte in enumerate(handle.read()) if byte}


class UnitTest:
    """One executable of unit tests."""

    def __init__(self, path, folder):
        self.name, self.path, self.folder = os.path.basename(path), path, folder
        self.reached, self.seconds = set(), 600.0

    def failures(self, _runtime, environment, ignored):
        begin = time.monotonic()
        try:
            made = subprocess.run([self.path, "--gtest_brief=1", "--gtest_color=no"], cwd=self.folder, env=environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=60 + 10 * self.seconds, check=False)
        except subprocess.TimeoutExpired:
            return {f"{self.name} (never ends)"}
        self.took = time.monotonic() - begin
        named = set(re.findall(r"\[  FAILED  \] (\S+?)[,\s]", made.stdout.decode(errors="replace")))
        return (named or ({f"{self.name} (status {made.returncode})"} if made.returncode else set())) - ignored


class Suite:
    """One suite of integration cases."""

    def __init__(self, name):
        self.name, self.reached, self.seconds = name, set(), 600.0

    def failures(self, runtime, environment, ignored, wanted=None):
        begin = time.monotonic()
        try:
            made = subprocess.run([sys.executable, f"{TOP}/integration/run.py", "--once", "-q", "--runtime", runtime,
                                   *(wanted or [self.name])], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, timeout=120 + 10 * self.seconds, check=False)
        except subprocess.TimeoutExpired:
            return {f"{self.name} (never ends)"}
        self.took = time.monotonic() - begin
        named = set(re.findall(r"(?m)^FAIL +(\S+)", made.stdout))
        return (named or ({f"{self.name} (status {made.returncode})"} if made.returncode else set())) - ignored


def unit_tests(folder):
    listed = subprocess.run(["ctest", "--test-dir", folder, "--show-only=json-v1"], check=True, capture_output=True, text=True)
    return [UnitTest(test["command"][0], folder) for test in json.loads(listed.stdout)["tests"]
            if len(test.get("command", [])) == 1]


def suites(runtime, wanted):
    listed = subprocess.run([sys.executable, f"{TOP}/integration/run.py", "--list", "--runtime", runtime],
                            check=True, capture_output=True, text=True).stdout.split()
    return [Suite(name) for name in dict.fromkeys(case.split(".")[0] for case in listed) if not wanted or name in wanted]


class Trial:
    """All tests, what each comes across, and what fails without any mistake."""

    def __init__(self, tree, arguments, scratch):
        self.seen, self.environment = Seen(scratch), dict(os.environ)
        self.runtime = f"{tree}/build/release/cmd/langsbx/langsbx"
        self.units = unit_tests(f"{tree}/build/debug")
        self.suites = [] if arguments.unit_only else suites(self.runtime, arguments.suites)
        self.ignored = set()

    def learn(self):
        """Runs each test once without mistakes: how long it takes, what it comes across, what fails anyway."""
        watched = dict(self.environment, LANGSBX_MUTANTS_SEEN=self.seen.path)
        for test in self.units + self.suites:
            self.seen.clear()
            self.ignored |= test.failures(self.runtime, watched, set())
            test.reached, test.seconds = self.seen.numbers(), getattr(test, "took", 600.0)
            print(f"  {test.name}: {len(test.reached)} reached, {test.seconds:.1f} s", flush=True)
        if self.ignored:
            print("fail without any mistake, so they notice nothing: " + " ".join(sorted(self.ignored)))

    def confirmed(self, suite, number, failed):
        """Cases that fail again with the mistake and pass without: a busy machine is no test."""
        wanted = sorted(name for name in failed if name.startswith(suite.name + "."))[:3]
        if not wanted:
            return sorted(failed)[:1]
        again = suite.failures(self.runtime, self.environment, self.ignored, wanted)
        switch(self.runtime, 0)
        without = suite.failures(self.runtime, self.environment, set(), wanted)
        switch(self.runtime, number)
        return sorted(again - without)[:1]

    def noticed_by(self, number):
        """The name of a test that notices the mistake, or None."""
        for unit in sorted((u for u in self.units if number in u.reached), key=lambda u: u.seconds):
            switch(unit.path, number)
            failed = unit.failures(self.runtime, self.environment, self.ignored)
            switch(unit.path, 0)
            if failed:
                return sorted(failed)[0]
        switch(self.runtime, number)
        try:
            for suite in sorted((s for s in self.suites if number in s.reached), key=lambda s: s.seconds):
                failed = suite.failures(self.runtime, self.environment, self.ignored)
                found = self.confirmed(suite, number, failed) if failed else []
                if found:
                    return found[0]
        finally:
            switch(self.runtime, 0)
        return None


def report(number, site, by, trial):
    if by:
        print(f"{number:4} noticed   {site}  ({by})", flush=True)
        return
    reached = any(number in test.reached for test in trial.units + trial.suites)
    with open(f"{TOP}/{site.path}", encoding="utf-8") as handle:
        line = handle.read().splitlines()[site.line - 1].strip()
    print(f"{number:4} SURVIVED  {site}{'' if reached else ' (no test comes here)'}\n"
          f"       {line}\n       {' '.join(site.template.split())[:200]}", flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", default=FOLDERS, help="where mistakes are made (runtime oci languages)")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1, help="the same seed chooses the same mistakes of the same sources")
    parser.add_argument("--work", default=f"{TOP}/build/mutants", help="where the tree is built")
    parser.add_argument("--unit-only", action="store_true", help="without the integration suites (which need root)")
    parser.add_argument("--suites", nargs="*", help="only these integration suites")
    parser.add_argument("--only", type=int, nargs="*", help="only the mistakes of these numbers")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    arguments.folders = arguments.folders or FOLDERS
    return arguments


def main():
    arguments = parse()
    tree = f"{arguments.work}/tree"
    chosen = build.make(TOP, tree, arguments.folders, arguments.count, arguments.seed, arguments.jobs)
    with tempfile.TemporaryDirectory(prefix="langsbx-mutants-") as scratch:
        os.chmod(scratch, 0o711)
        trial = Trial(tree, arguments, scratch)
        trial.learn()
        noticed = 0
        for number, site in sorted(chosen.items()):
            if arguments.only and number not in arguments.only:
                continue
            by = trial.noticed_by(number)
            noticed += by is not None
            report(number, site, by, trial)
    tried = len(arguments.only) if arguments.only else len(chosen)
    print(f"{tried} mistakes: {noticed} noticed, {tried - noticed} not")
    return 0


if __name__ == "__main__":
    sys.exit(main())
