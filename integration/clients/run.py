#!/usr/bin/env python3
"""Real clients with a chosen runtime: run.py [--runtime PATH]... [docker|podman|containerd|cri]...; more than one runtime: side by side."""
import argparse
import os
import pickle
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from clients import containerd, cri, docker, engine, podman  # noqa: E402

CLIENTS = {"docker": (docker.Docker, docker.CASES, "dockerd"), "podman": (podman.Podman, podman.CASES, "podman"),
           "containerd": (containerd.Containerd, containerd.CASES, "containerd"), "cri": (cri.Cri, cri.CASES, "containerd")}


def one(name, runtime):
    """All cases of a client with one runtime; {case: passed}."""
    kind, cases, _ = CLIENTS[name]
    base = os.path.basename(os.path.realpath(runtime))
    engine.private_world(v1_only=name == "podman" or base == "crun")
    folder = tempfile.mkdtemp(prefix=f"langsbx-it-{name}-")
    os.chmod(folder, 0o755)
    service = kind(folder, runtime)
    print(f"# {name} with {runtime}", flush=True)
    try:
        service.start()
        return engine.run_cases(service, cases, lambda line: print(line, flush=True))
    finally:
        service.stop()
        shutil.rmtree(folder, ignore_errors=True)


def in_own_process(name, runtime):
    with tempfile.TemporaryFile() as answer:
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                pickle.dump(one(name, runtime), answer)
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
        for case in next((c for c in columns if c), {}):
            row = ["ok" if c.get(case) else "FAIL" for c in columns]
            if len(set(row)) > 1 or "FAIL" in row:
                print(f"{case:32}" + "".join(f"{s:12}" for s in row))
    total = len(CLIENTS[name][1])
    for runtime, column in zip(runtimes, columns):
        good = sum(column.values())
        print(f"{name} with {os.path.basename(runtime)}: {good} passed, {total - good} failed, 0 skipped")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runtime", action="append", required=True)
    parser.add_argument("clients", nargs="*", help=f"of {', '.join(CLIENTS)}; all without")
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("run.py: needs root")
    runtimes = [shutil.which(r) or os.path.abspath(r) for r in arguments.runtime]
    worst = 0
    for name in arguments.clients or CLIENTS:
        if name not in CLIENTS:
            sys.exit(f"run.py: no client {name}")
        if shutil.which(CLIENTS[name][2]) is None:
            print(f"skip {name}: {CLIENTS[name][2]} is not installed (make setup-clients)")
            continue
        columns = [in_own_process(name, r) for r in runtimes]
        compare(name, runtimes, columns)
        # A case that fails with the first runtime on the same machine is the environment's.
        first, last = columns[0], columns[-1]
        if not last or any(first.get(case) and not last.get(case) for case in first):
            worst = 1
    return worst


if __name__ == "__main__":
    sys.exit(main())
