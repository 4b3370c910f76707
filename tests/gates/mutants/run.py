#!/usr/bin/env python3
"""Puts single mistakes, chosen at random, into the program and counts how many the tests notice (see README.md)."""
import argparse
import os
import queue
import sys
import tempfile
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import build  # noqa: E402
import trial  # noqa: E402

TOP = os.path.abspath(f"{os.path.dirname(os.path.abspath(__file__))}/../../..")
FOLDERS = ["runtime", "oci", "languages"]
AT_ONCE = 40  # integration cases that are learned before what is known is written down


def on_all(workers, tasks, work):
    """Hands the tasks to the workers, each the next one when it is done."""
    left, faults = queue.SimpleQueue(), []
    for task in tasks:
        left.put(task)

    def go(worker):
        try:
            while not faults:
                work(worker, left.get_nowait())
        except queue.Empty:
            pass
        except BaseException as fault:  # told by the main thread
            faults.append(fault)
    threads = [threading.Thread(target=go, args=(worker,)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]


def learn(tests, workers, wanted):
    names, lock = tests.unknown(wanted), threading.Lock()

    def work(worker, some):
        tests.learn(worker, some)
        with lock:
            tests.save()
            print(f"  {some[0]} ... {some[-1]}: learned", flush=True)
    step = 1 if wanted is tests.units else AT_ONCE
    on_all(workers, [names[n:n + step] for n in range(0, len(names), step)], work)
    if tests.failing():
        print("fail without any mistake, so they notice nothing: " + " ".join(tests.failing()), flush=True)


def try_all(tests, workers, wanted, kind, noticed_by):
    """Those of the mistakes that no test of this kind notices."""
    learn(tests, workers, kind)
    left = {}

    def work(worker, number):
        by = noticed_by(worker, number, wanted[number].path)
        if by:
            print(f"{number:4} noticed   {wanted[number]}  ({by})", flush=True)
        else:
            left[number] = wanted[number]
    on_all(workers, list(wanted), work)
    return dict(sorted(left.items()))


def survived(number, site, tests):
    reached = any(number in known["reached"] for known in tests.known.values())
    with open(f"{TOP}/{site.path}", encoding="utf-8") as handle:
        line = handle.read().splitlines()[site.line - 1].strip()
    print(f"{number:4} SURVIVED  {site}{'' if reached else ' (no test comes here)'}\n"
          f"       {line}\n       {' '.join(site.written(number).split())[:200]}", flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", default=FOLDERS, help="where mistakes are made (runtime oci languages)")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1, help="the same seed chooses the same mistakes of the same sources")
    parser.add_argument("--work", default=f"{TOP}/build/mutants", help="where the tree is built")
    parser.add_argument("--unit-only", action="store_true", help="without the integration suites (which need root)")
    parser.add_argument("--suites", nargs="*", help="of the integration suites only these")
    parser.add_argument("--only", type=int, nargs="*", help="only the mistakes of these numbers")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), help="how many things are done at once")
    arguments = parser.parse_args()
    arguments.folders = arguments.folders or FOLDERS
    return arguments


def main():
    arguments = parse()
    tree = f"{arguments.work}/tree"
    presets = ("debug",) if arguments.unit_only else ("debug", "release")
    chosen = build.make(TOP, tree, arguments.folders, arguments.count, arguments.seed, arguments.jobs, presets)
    with tempfile.TemporaryDirectory(prefix="langsbx-mutants-") as scratch:
        os.chmod(scratch, 0o711)
        workers = [trial.Worker(f"{scratch}/{n}", tree) for n in range(arguments.jobs)]
        tests = trial.Trial(arguments.work, tree)
        wanted = {n: s for n, s in sorted(chosen.items()) if not arguments.only or n in arguments.only}
        left = try_all(tests, workers, wanted, tests.units, tests.noticed_by_units)
        if left and not arguments.unit_only:
            tests.add_cases(tree, arguments.suites)
            left = try_all(tests, workers, left, tests.cases, tests.noticed_by_cases)
        for number, site in left.items():
            survived(number, site, tests)
    print(f"{len(wanted)} mistakes: {len(wanted) - len(left)} noticed, {len(left)} not")
    return 0


if __name__ == "__main__":
    sys.exit(main())
