"""Runs the tests: once without a mistake, to learn what each comes across, then those that come across one, with it on."""
import json
import os
import re
import subprocess
import sys
import time

import programs

HERE = os.path.dirname(os.path.abspath(__file__))
ENDLESS = "{} (never ends)"
RUN = os.path.abspath(f"{HERE}/../../../integration/run.py")


class Worker:
    """Runs one thing at a time, with copies of the programs that are its own."""

    def __init__(self, folder, tree):
        self.tree, self.debug, self.folder = tree, f"{tree}/build/debug", folder
        self.copies = programs.Copies(folder, f"{tree}/build/release/cmd")

    def unit(self, name, path, number, watched=False, most=600.0):
        """(what failed, seconds, numbers) of one executable of unit tests."""
        program = self.copies.one(path, number, watched)
        self.copies.seen.clear()
        begin = time.monotonic()
        try:
            made = subprocess.run([program, "--gtest_brief=1", "--gtest_color=no"], cwd=os.path.dirname(path),
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=most, check=False)
        except subprocess.TimeoutExpired:
            return {ENDLESS.format(name)}, most, []
        finally:
            os.remove(program)
        failed = set(re.findall(r"\[  FAILED  \] (\S+?)[,\s]", made.stdout.decode(errors="replace")))
        if made.returncode and not failed:
            failed = {f"{name} (status {made.returncode})"}
        return failed, time.monotonic() - begin, self.copies.seen.numbers()

    def cases(self, names, number, watched=False):
        """[name, status, seconds, numbers] of these integration cases; without `watched` up to the first that fails."""
        wanted, told = f"{self.folder}/wanted", f"{self.folder}/told"
        for path, text in ((wanted, "\n".join(names)), (told, "")):
            with open(path, "w", encoding="utf-8") as handle:
                handle.write(text)
        runtime = self.copies.runtime(number, watched)
        with open(f"{self.folder}/log", "w", encoding="utf-8") as log:
            subprocess.run([sys.executable, f"{HERE}/cases.py", wanted, told, runtime,
                            *([self.copies.seen.path] if watched else [])],
                           stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False)
        with open(told, encoding="utf-8") as handle:
            return [json.loads(line) for line in handle]


def unit_tests(folder):
    """{name: path} of all executables of unit tests."""
    out = subprocess.run(["ctest", "--test-dir", folder, "--show-only=json-v1"], check=True, capture_output=True, text=True)
    return {os.path.basename(test["command"][0]): test["command"][0] for test in json.loads(out.stdout)["tests"]
            if len(test.get("command", [])) == 1}


def case_names(runtime):
    return subprocess.run([sys.executable, RUN, "--list", "--runtime", runtime], check=True, capture_output=True,
                          text=True).stdout.split()


class Trial:
    """All tests and what each comes across. What was learned of a program stays in a file until the program changes."""

    def __init__(self, work, tree):
        self.file, self.known = f"{work}/learned.json", {}
        if os.path.exists(self.file):
            with open(self.file, encoding="utf-8") as handle:
                self.known = json.load(handle)
        self.units, self.cases = unit_tests(f"{tree}/build/debug"), []
        self.made_of = {name: programs.digest(path) for name, path in self.units.items()}

    def add_cases(self, tree, suites):
        """The integration cases, of these suites if any are named."""
        runtime, service = (f"{tree}/build/release/cmd/{name}/{name}" for name in ("langsbx", "langsbxd"))
        self.cases = [name for name in case_names(runtime) if not suites or name.split(".")[0] in suites]
        whole = programs.digest(runtime) + programs.digest(service)
        self.made_of.update({name: whole for name in self.cases})

    def unknown(self, tests):
        return [name for name in tests if self.known.get(name, {}).get("of") != self.made_of[name]]

    def keep(self, name, seconds, reached, fails):
        self.known[name] = {"of": self.made_of[name], "seconds": seconds, "reached": reached, "fails": sorted(fails)}

    def save(self):
        with open(self.file + ".new", "w", encoding="utf-8") as handle:
            json.dump(self.known, handle)
        os.replace(self.file + ".new", self.file)

    def learn(self, worker, names):
        """How long each takes, what it comes across, and what fails anyway, watched or not."""
        for name in [name for name in names if name in self.units]:
            failed, seconds, reached = worker.unit(name, self.units[name], 0, watched=True)
            if failed:
                failed &= worker.unit(name, self.units[name], 0)[0]
            self.keep(name, seconds, reached, failed)
        cases = [name for name in names if name in self.made_of and name not in self.units]
        for name, status, seconds, reached in worker.cases(cases, 0, watched=True) if cases else ():
            fails = status == "FAIL" and any(told[1] == "FAIL" for told in worker.cases([name], 0))
            self.keep(name, seconds, reached if status != "skip" else [], {name} if fails else set())

    def failing(self):
        return sorted(name for test in self.made_of for name in self.known.get(test, {}).get("fails", []))

    def reaching(self, number, tests, path):
        """Those of `tests` that come across a mistake: first those that are named like its source, then the quickest."""
        words = set(re.findall(r"[a-z]{4,}", path)) - {"runtime", "languages"}

        def order(name):
            return not any(word.rstrip("s") in name for word in words), self.known[name]["seconds"]
        return sorted((name for name in tests if number in self.known.get(name, {}).get("reached", [])), key=order)

    def noticed_by_units(self, worker, number, path):
        """The name of a unit test that notices the mistake, or None."""
        for name in self.reaching(number, self.units, path):
            before = self.known[name]
            most = 60 + 10 * before["seconds"]
            failed = worker.unit(name, self.units[name], number, most=most)[0] - set(before["fails"])
            # On a busy machine, one without a mistake may take as long.
            if failed == {ENDLESS.format(name)} and worker.unit(name, self.units[name], 0, most=most)[0] == failed:
                continue
            if failed:
                return sorted(failed)[0]
        return None

    def noticed_by_cases(self, worker, number, path):
        """The name of an integration case that notices the mistake, or None."""
        left = [name for name in self.reaching(number, self.cases, path) if not self.known[name]["fails"]]
        while left:
            told = worker.cases(left, number)
            if told and told[-1][1] == "FAIL":
                if self.confirmed(worker, number, told[-1][0]):
                    return told[-1][0]
            elif len(told) < len(left):
                raise SystemExit(f"mutants: the integration suites ended early, see {worker.folder}/log")
            left = left[len(told):]
        return None

    def confirmed(self, worker, number, name):
        """Whether the case fails again with the mistake and passes without: a busy machine is no test."""
        return (any(told[1] == "FAIL" for told in worker.cases([name], number))
                and all(told[1] != "FAIL" for told in worker.cases([name], 0)))
