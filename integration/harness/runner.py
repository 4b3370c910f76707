"""Finds the cases, runs each in a process of its own, several at once, and keeps their verdicts."""
import importlib
import os
import pickle
import pkgutil
import shutil
import signal
import sys
import time
import traceback

import unsteady

from . import host, leaks
from .case import Failure, Skip
from .world import World

DEFAULT_SECONDS = 30
# More failures than these are no matter of load.
MOST_RETRIED = 12


class Verdict:
    def __init__(self, name, status, reason="", seconds=0.0):
        self.name, self.status, self.reason, self.seconds = name, status, reason, seconds
        self.unsteady = ""  # passed when run again: whether and why that is excused


class Case:
    def __init__(self, name, function, value=None, has_value=False):
        self.name, self.function, self.value, self.has_value = name, function, value, has_value
        self.seconds = getattr(function, "seconds", DEFAULT_SECONDS)

    def run(self, world):
        if self.has_value:
            self.function(world, self.value)
        else:
            self.function(world)


def discover(package, wanted):
    """All cases in file order; `wanted` words name a suite, a suite.case or a part of either."""
    cases = []
    for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        loaded = importlib.import_module(f"{package.__name__}.{module}")
        for attribute, function in vars(loaded).items():
            if not attribute.startswith("test_") or not callable(function):
                continue
            base = f"{module}.{attribute[5:].replace('_', '-')}"
            variants = getattr(function, "variants", None)
            if variants is None:
                cases.append(Case(base, function))
            else:
                cases += [Case(f"{base}.{key.replace('_', '-')}", function, value, True)
                          for key, value in variants.items()]
    if wanted:
        cases = [c for c in cases if any(c.name == w or c.name.startswith((w + ".", w + "-")) or w == c.name.split(".")[0]
                                         for w in wanted)]
    return cases


def why_skip(case, runtime_name):
    only = getattr(case.function, "only", None)
    if only and runtime_name not in only:
        return f"only for {', '.join(only)}"
    for fact in getattr(case.function, "needs", ()):
        reason = host.missing(fact)
        if reason:
            return reason
    return None


def judge(case, world):
    """Runs the body, then cleans up, then looks for leaks; the first fault is the verdict."""
    status, reason = "ok", ""
    try:
        case.run(world)
    except Skip as skip:
        status, reason = "skip", str(skip)
    except Failure as fault:
        status, reason = "FAIL", f"{fault} [line {line_of(case)}]"
    except Exception:  # a broken case is a failed case
        status, reason = "FAIL", "".join(traceback.format_exc().splitlines(True)[-3:])
    try:
        world.cleanup()
    except Exception as fault:
        if status == "ok":
            status, reason = "FAIL", f"clean-up: {fault}"
    left = leaks.find(world)
    if left:
        leaks.remove(world)
        if status == "ok":
            status, reason = "FAIL", "left behind: " + "; ".join(left[:5])
    return status, reason


def line_of(case):
    """The line in the suite where the failure came from."""
    name = case.function.__code__.co_filename
    frames = [f for f in traceback.extract_tb(sys.exc_info()[2]) if f.filename == name]
    return frames[-1].lineno if frames else "?"


def child_main(case, settings, number, pipe):
    os.setpgid(0, 0)
    world = None
    try:
        world = World(settings, case.name, number)
        answer = judge(case, world)
    except BaseException as fault:  # nothing may get past: this process has to answer
        answer = ("FAIL", f"harness: {fault!r}")
    if world is not None and not settings.keep:
        shutil.rmtree(world.folder, ignore_errors=True)
    os.write(pipe, pickle.dumps(answer)[:60000])
    os._exit(0)


class Running:
    def __init__(self, case, settings, number):
        self.case, self.number, self.begin = case, number, time.monotonic()
        reader, writer = os.pipe()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(reader)
            child_main(case, settings, number, writer)
        os.close(writer)
        self.reader = reader
        self.deadline = self.begin + case.seconds * settings.slow + 15

    def poll(self, settings):
        """The verdict, or None while it runs."""
        pid, _ = os.waitpid(self.pid, os.WNOHANG)
        late = time.monotonic() > self.deadline
        if pid == 0 and not late:
            return None
        if pid == 0:
            os.killpg(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            sweep(settings, self.number)
        data = os.read(self.reader, 65536)
        os.close(self.reader)
        spent = time.monotonic() - self.begin
        if not data:
            why = f"no end after {spent:.0f} s" if late else "the case's process died"
            return Verdict(self.case.name, "FAIL", why, spent)
        status, reason = pickle.loads(data)
        return Verdict(self.case.name, status, reason, spent)


def sweep(settings, number):
    """After a case that had to be killed: whatever carries its tag goes."""
    class Gone:
        tag = f"langsbx-it-{settings.run_id}-{number}"
        folder = f"{settings.scratch}/{number}"
    Gone.settings = settings
    leaks.remove(Gone)


def run_all(cases, settings, report):
    """Every case once; then those that failed once more, alone, which tells a steady fault from an unsteady one. The second
    verdict counts only for the cases that unsteady.txt names."""
    verdicts = run_once(list(enumerate(cases, 1)), settings, settings.jobs, report)
    failed = {v.name: v for v in verdicts if v.status == "FAIL"}
    if not failed or len(failed) > MOST_RETRIED or settings.once:
        return verdicts
    excused = unsteady.excused()
    again = [(len(cases) + number, case) for number, case in enumerate(cases, 1) if case.name in failed]
    second = {v.name: v for v in run_once(again, settings, 1, report)}
    for verdict in verdicts:
        if verdict.name in failed and second[verdict.name].status == "ok":
            verdict.unsteady = excused.get(verdict.name, "not excused by tests/gates/unsteady.txt")
            if verdict.name in excused:
                verdict.status = "ok"
    return verdicts


def run_once(queue, settings, jobs, report):
    verdicts, running = [], []
    while queue or running:
        while queue and len(running) < jobs:
            number, case = queue.pop(0)
            reason = why_skip(case, settings.runtime_name)
            if reason:
                verdicts.append(Verdict(case.name, "skip", reason))
                report(verdicts[-1])
                continue
            running.append(Running(case, settings, number))
        time.sleep(0.005)
        for slot in list(running):
            verdict = slot.poll(settings)
            if verdict:
                running.remove(slot)
                verdicts.append(verdict)
                report(verdict)
    return verdicts
