#!/usr/bin/env python3
"""Runs the integration suites against a runtime: run.py [-j N] [--runtime PATH]... [SUITE | SUITE.CASE]..."""
import argparse
import os
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, f"{os.path.dirname(HERE)}/tests/gates"]
from harness import bundle, host, runner  # noqa: E402
import suites  # noqa: E402


def reachable(path):
    """Whether any user may come to the file: a checkout in root's home is root's alone."""
    while path != "/":
        path = os.path.dirname(path)
        if not os.stat(path).st_mode & 0o001:
            return False
    return True


class Settings:
    """Everything that the cases of one run share."""

    def __init__(self, runtime, arguments):
        self.runtime = self.built = os.path.abspath(shutil.which(runtime) or runtime)
        base = os.path.basename(os.path.realpath(self.runtime))
        self.runtime_name = base if base in ("runc", "crun") else "langsbx"
        self.jobs, self.keep, self.once = arguments.jobs, arguments.keep, arguments.once
        self.slow = float(os.environ.get("LANGSBX_IT_SLOW", "1"))
        self.may_skip_probes = shutil.which("gcc") is None
        self.run_id = f"{os.getpid():x}{self.runtime_name[0]}"
        self.parent_cgroup = f"langsbx-it-{self.run_id}"
        self.scratch = tempfile.mkdtemp(prefix="langsbx-it-", dir=arguments.scratch)
        os.chmod(self.scratch, 0o711)
        self.template = f"{self.scratch}/template"
        os.mkdir(self.template)
        bundle.make_template(self.template)
        if os.access(self.built, os.X_OK) and not reachable(os.path.realpath(self.built)):
            self.runtime = self.copy_for_everybody()

    def copy_for_everybody(self):
        """Program and helper side by side, as installed."""
        folder = f"{self.scratch}/sbin"
        os.mkdir(folder)
        os.chmod(folder, 0o755)
        helper = os.path.join(os.path.dirname(self.built), "../langsbx-systemd/langsbx-systemd")
        for file in filter(os.path.exists, (self.built, helper)):
            os.chmod(shutil.copy(file, folder), 0o755)
        return f"{folder}/{os.path.basename(self.built)}"

    def close(self):
        for top in [f"/sys/fs/cgroup/{n}" for n in os.listdir("/sys/fs/cgroup")] + ["/sys/fs/cgroup"]:
            try:
                os.rmdir(f"{top}/{self.parent_cgroup}")
            except OSError:
                pass
        if not self.keep:
            shutil.rmtree(self.scratch, ignore_errors=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wanted", nargs="*", help="suites or cases; all without")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--runtime", action="append", help="more than one: their verdicts side by side")
    parser.add_argument("--keep", action="store_true", help="keep the scratch folder")
    parser.add_argument("--scratch", default=None, help="where the scratch folder is made")
    parser.add_argument("--list", action="store_true", help="name the cases and end")
    parser.add_argument("--once", action="store_true", help="don't run a failed case again, alone")
    parser.add_argument("-q", "--quiet", action="store_true", help="only failures and skips")
    arguments = parser.parse_args()
    arguments.runtime = arguments.runtime or [os.environ.get("RUNTIME") or "build/release/cmd/langsbx/langsbx"]
    return arguments


def run_with(runtime, cases, arguments):
    """All cases with one runtime, in a process of its own: the mount namespace differs per runtime."""
    settings = Settings(runtime, arguments)
    if not os.access(settings.runtime, os.X_OK):
        sys.exit(f"run.py: no runtime at {settings.runtime}")
    host.private_mounts()
    # The log of verdicts: what cases say there is theirs.
    os.makedirs("/var/log/langsbx", exist_ok=True)
    host.mount("verdicts", "/var/log/langsbx", "tmpfs", 0, "mode=700")
    if settings.runtime_name == "crun" and host.cgroup_mode() == "hybrid":
        host.v1_view()

    def report(verdict):
        if verdict.status == "ok" and arguments.quiet:
            return
        why = f"  ({' '.join(verdict.reason.split())[:700]})" if verdict.reason else ""
        print(f"{verdict.status:5}{verdict.name}{why}", flush=True)

    try:
        return settings.runtime_name, runner.run_all(cases, settings, report)
    finally:
        settings.close()


def in_child(work):
    """Runs work() in a forked child and hands its answer over a file."""
    import pickle
    with tempfile.TemporaryFile() as answer:
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                pickle.dump(work(), answer)
                answer.flush()
                status = 0
            except SystemExit as end:
                print(end, file=sys.stderr)
            finally:
                sys.stdout.flush()
                os._exit(status)
        if os.waitpid(pid, 0)[1] != 0:
            sys.exit(1)
        answer.seek(0)
        return pickle.load(answer)


def count(verdicts):
    return [sum(v.status == s for v in verdicts) for s in ("ok", "FAIL", "skip")]


def side_by_side(results):
    names = [name for name, _ in results]
    print("\ncase" + " " * 56 + "".join(f"{n:10}" for n in names))
    table = [{v.name: v for v in verdicts} for _, verdicts in results]
    for case in table[0]:
        row = [column[case].status for column in table]
        if len(set(row)) > 1:
            print(f"{case:60}" + "".join(f"{s:10}" for s in row))
    for name, verdicts in results:
        print("{}: {} passed, {} failed, {} skipped".format(name, *count(verdicts)))


def main():
    arguments = parse()
    cases = runner.discover(suites, arguments.wanted)
    if arguments.list:
        print("\n".join(c.name for c in cases))
        return 0
    if os.geteuid() != 0:
        sys.exit("run.py: the integration suites need root")
    if not cases:
        sys.exit("run.py: no such case")
    begin = time.monotonic()
    results = [in_child(lambda r=r: run_with(r, cases, arguments)) for r in arguments.runtime]
    if len(results) > 1:
        side_by_side(results)
        return 0
    passed, failed, skipped = count(results[0][1])
    for verdict in results[0][1]:
        if verdict.status == "FAIL":
            print(f"FAIL {verdict.name}  ({' '.join(verdict.reason.split())[:700]})")
        if verdict.unsteady:
            print(f"unsteady {verdict.name}: failed, then passed alone: {verdict.unsteady}")
    print(f"integration, {len(cases)} cases in {time.monotonic() - begin:.0f} s: "
          f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
