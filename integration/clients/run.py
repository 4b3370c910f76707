#!/usr/bin/env python3
"""Real clients with a chosen runtime: run.py [--runtime PATH]... [docker|podman|podman-user|containerd|cri]...; more than one runtime: side by side."""
import argparse
import os
import pickle
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from clients import containerd, cri, crio, docker, engine, kubernetes, podman, podman_user, userland  # noqa: E402

CLIENTS = {kind.NAME: (kind, module.CASES, module.GUARD, kind.PROGRAM)
           for module, kind in ((docker, docker.Docker), (podman, podman.Podman), (podman_user, podman_user.PodmanUser),
                                (containerd, containerd.Containerd), (cri, cri.Cri), (crio, crio.CriO),
                                (kubernetes, kubernetes.Kubernetes))}


def cases_of(name, runtime, wanted):
    """Those of the guard only where the runtime has one."""
    _, cases, guard, _ = CLIENTS[name]
    judges = os.path.basename(os.path.realpath(runtime)) not in ("runc", "crun")
    return [case for case in cases + (guard if judges else []) if re.search(wanted, case[0])]


def one(name, runtime, wanted):
    """The cases of a client with one runtime; {case: passed}."""
    kind = CLIENTS[name][0]
    base = os.path.basename(os.path.realpath(runtime))
    engine.private_world(v1_only=kind.PROGRAM == "podman" or base == "crun", network=not kind.FETCHES)
    folder = tempfile.mkdtemp(prefix=f"langsbx-it-{name}-")
    os.chmod(folder, 0o755)
    service = kind(folder, runtime)
    print(f"# {name} with {runtime}", flush=True)
    try:
        service.start()
        return engine.run_cases(service, cases_of(name, runtime, wanted), lambda line: print(line, flush=True))
    finally:
        service.stop()
        shutil.rmtree(folder, ignore_errors=True)


def in_own_process(name, runtime, wanted):
    with tempfile.TemporaryFile() as answer:
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                pickle.dump(one(name, runtime, wanted), answer)
                answer.flush()
                status = 0
            except Exception as fault:
                print(f"FAIL {name}: {fault}", file=sys.stderr)
            finally:
                sys.stdout.flush()
                os._exit(status)
        if os.waitpid(pid, 0)[1] != 0:
            return {}
        answer.seek(0)
        return pickle.load(answer)


def compare(name, runtimes, columns):
    if len(columns) > 1:
        print(f"\n{name:32}" + "".join(f"{os.path.basename(r):12}" for r in runtimes))
        for case in dict.fromkeys(case for column in columns for case in column):
            row = ["-" if case not in c else "ok" if c[case] else "FAIL" for c in columns]
            if "FAIL" in row:
                print(f"{case:32}" + "".join(f"{s:12}" for s in row))
    for runtime, column in zip(runtimes, columns):
        guard = {case for case, _ in CLIENTS[name][2]}
        good = sum(column.values())
        judged = sum(passed for case, passed in column.items() if case in guard)
        print(f"{name} with {os.path.basename(runtime)}: {good} passed, {len(column) - good} failed, 0 skipped"
              + (f" (guard: {judged} of {len(guard & set(column))})" if guard & set(column) else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runtime", action="append", required=True)
    parser.add_argument("--only", default="", metavar="REGEX", help="cases whose name matches; some build on earlier ones")
    parser.add_argument("--tree", metavar="DIR", help="with the clients of another Debian, as `tree` made it")
    parser.add_argument("clients", nargs="*", help=f"of {', '.join(CLIENTS)}; all without")
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("run.py: needs root")
    runtimes = [shutil.which(r) or os.path.abspath(r) for r in arguments.runtime]
    if arguments.tree:
        return userland.run_inside(arguments.tree, runtimes)
    worst = 0
    for name in arguments.clients or CLIENTS:
        if name not in CLIENTS:
            sys.exit(f"run.py: no client {name}")
        if shutil.which(CLIENTS[name][3]) is None:
            print(f"skip {name}: {CLIENTS[name][3]} is not installed (make setup-clients)")
            continue
        columns = [in_own_process(name, r, arguments.only) for r in runtimes]
        compare(name, runtimes, columns)
        # A case that fails with the first runtime on the same machine is the environment's.
        first, last = columns[0], columns[-1]
        if not last or any(first.get(case) and not last.get(case) for case in first):
            worst = 1
    return worst


if __name__ == "__main__":
    sys.exit(main())
