"""Counts that do not depend on how busy the machine is: system calls (strace) and instructions (callgrind)."""
import os
import re
import shutil
import subprocess
import tempfile


def can_trace():
    """None, or why strace can't be used here."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    done = subprocess.run(["strace", "-f", "-o", "/dev/null", "/bin/true"], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=False)
    return None if done.returncode == 0 else f"strace does not work here: {done.stderr.strip()[:120]}"


def system_calls(words):
    """Of all processes of one command."""
    with tempfile.TemporaryDirectory(prefix="langsbx-bench-") as folder:
        out = f"{folder}/calls"
        done = subprocess.run(["strace", "-f", "-qq", "-c", "-o", out, *words], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(words[:4])} under strace: {done.stderr.strip()[-300:]}")
        with open(out, encoding="utf-8") as handle:
            rows = [line.split() for line in handle]
    # share, seconds, mean, calls, errors (if any), name
    return sum(int(row[3]) for row in rows if len(row) >= 5 and row[3].isdigit() and row[-1] != "total")


def can_count_instructions():
    if shutil.which("valgrind") is None:
        return "valgrind is not installed"
    done = subprocess.run(["valgrind", "--tool=none", "-q", "/bin/true"], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=False)
    return None if done.returncode == 0 else f"valgrind does not work here: {done.stderr.strip()[:120]}"


def instructions(words):
    """Instructions of the first process alone, until it ends or until callgrind meets a call it does not know
    (clone3): what the command computes before there is a container."""
    with tempfile.TemporaryDirectory(prefix="langsbx-bench-") as folder:
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", *words],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=120)
        found = re.search(r"Collected : (\d+)", done.stderr)
        if found is None:
            raise RuntimeError(f"callgrind of {' '.join(words[:3])}: {done.stderr.strip()[-300:]}")
        return int(found.group(1))


def calls(bench):
    """System calls of all processes of one `run` and of one `exec`."""
    reason = can_trace()
    if reason is not None:
        return {"skipped": reason}
    result = {}
    for contender in bench.contenders:
        try:
            entry = {"run": system_calls(contender.run_words())}
        except RuntimeError:
            continue  # runsc, itself a tracer, does not run under one
        if contender.name in ("langsbx", "crun", "runc"):
            contender.start_box()
            try:
                entry["exec"] = system_calls(contender.exec_words())
            finally:
                contender.stop_box()
        result[contender.name] = entry
    return result


def computing(bench):
    """Instructions of `--version`, and of `run` until its process is cloned."""
    reason = can_count_instructions()
    if reason is not None:
        return {"skipped": reason}
    result = {}
    for contender in bench.contenders:
        if contender.name not in ("langsbx", "crun"):
            continue
        result[contender.name] = {"version": instructions([contender.path, "--version"]),
                                  "run": instructions(contender.run_words())}
    return result


def sizes(bench):
    """Bytes of each program's file, and of the libraries it loads."""
    result = {}
    for contender in bench.contenders:
        if not getattr(contender, "path", None):
            continue
        done = subprocess.run(["ldd", contender.path], capture_output=True, text=True, check=False)
        libraries = [w for line in done.stdout.splitlines() for w in line.split() if w.startswith("/")]
        result[contender.name] = {"program": os.path.getsize(contender.path),
                                  "libraries": sum(os.path.getsize(os.path.realpath(l)) for l in set(libraries))}
    return result


SECTIONS = {"calls": calls, "instructions": computing, "sizes": sizes}
