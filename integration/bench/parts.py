"""Sections about parts: seccomp profiles, the guard's throughput beside other parsers, `execute`, engines."""
import os
import shutil
import subprocess
import time

from measure import interleaved, summary
from starting import docker_like_profile, only_oci, python_source


def seccomp(bench):
    """A 400-call profile: what it adds to `run`, compiled anew and found in the cache."""
    ours = only_oci(bench, "langsbx")
    profile = docker_like_profile()

    def with_profile(config):
        config["linux"]["seccomp"] = profile
    result = {}
    plain = interleaved(bench.meter, ours, lambda c: c.run_words(), bench.rounds)["langsbx"]
    for contender in ours:
        folder = contender.variant("seccomp", with_profile)
        cached = interleaved(bench.meter, ours, lambda c: c.run_words(folder), bench.rounds)["langsbx"]

        def forget():
            shutil.rmtree(f"{contender.root}/.cache", ignore_errors=True)
        cold = interleaved(bench.meter, ours, lambda c: c.run_words(folder), bench.rounds, before=forget)["langsbx"]
        result["langsbx"] = {"plain": plain, "cached": cached, "cold": cold}
    return result


SAMPLES = {
    "python": ("main.py", lambda size: python_source(size)),
    "bash": ("main.sh", lambda size: "".join(
        f"value_{n}=$(( {n} * 3 ))\nif [ \"$value_{n}\" -gt 7 ]; then echo \"step {n}: ${{value_{n}}}\"; fi\n"
        for n in range(size // 95 + 1))),
    "c": ("main.c", lambda size: "#include <stdio.h>\n" + "".join(
        f"static int step_{n}(int a, int b) {{\n  int total = 0;\n  for (int i = 0; i < a; ++i) total += i * b;\n"
        f"  return total + {n};\n}}\n" for n in range(size // 125 + 1)) + "int main(void) { return step_0(1, 2); }\n"),
    "go": ("main.go", lambda size: "package main\n\nimport \"fmt\"\n\n" + "".join(
        f"func step{n}(a int, b int) int {{\n\ttotal := 0\n\tfor i := 0; i < a; i++ {{\n\t\ttotal += i * b\n\t}}\n"
        f"\treturn total + {n}\n}}\n" for n in range(size // 115 + 1)) + "func main() { fmt.Println(step0(1, 2)) }\n"),
}
RIVALS = {
    "python": {"CPython ast": ["python3", "-c", "import ast,sys; ast.parse(open(sys.argv[1]).read())"],
               "bandit": ["bandit", "-q"]},
    "bash": {"bash -n": ["bash", "-n"], "shellcheck": ["shellcheck"]},
    "c": {"gcc -fsyntax-only": ["gcc", "-fsyntax-only"]},
    "go": {"gofmt -l": ["gofmt", "-l"]},
}


def processor_seconds(words):
    before = os.times()
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False)
    after = os.times()
    used = (after.children_user - before.children_user) + (after.children_system - before.children_system)
    return used, done.returncode


def guard(bench):
    """MB/s of processor time over one large file: `langsbx validate` and what else reads that language. Start-up
    is taken off by a small file of the same kind."""
    folder = f"{bench.lab.folder}/sources"
    os.makedirs(folder, exist_ok=True)
    result = {}
    for language, (name, make) in SAMPLES.items():
        files = {}
        for kind, size in (("small", 1000), ("large", 1 << 20)):
            files[kind] = f"{folder}/{kind}-{name}"
            with open(files[kind], "w", encoding="ascii") as handle:
                handle.write(make(size))
        megabytes = (os.path.getsize(files["large"]) - os.path.getsize(files["small"])) / 1e6
        programs = {"langsbx": [bench.runtime, "validate", "--language", language]}
        programs.update({n: w for n, w in RIVALS[language].items() if shutil.which(w[0])})
        rates = {}
        for title, words in programs.items():
            took = sorted(processor_seconds([*words, files["large"]])[0] - processor_seconds([*words, files["small"]])[0]
                          for _ in range(3))[1]
            rates[title] = round(megabytes / took, 1) if took > 0.001 else None
        result[language] = rates
    return result


def execute_file(bench):
    """`langsbx execute` of an empty program, beside the interpreter alone."""
    folder = f"{bench.lab.folder}/programs"
    os.makedirs(folder, exist_ok=True)
    result = {}
    for language, name, direct in (("python", "empty.py", ["python3"]), ("bash", "empty.sh", ["bash"])):
        path = f"{folder}/{name}"
        with open(path, "w", encoding="ascii") as handle:
            handle.write("x=1\n")
        pairs = {"alone": [*direct, path], "execute": [bench.runtime, "execute", path]}
        samples = {key: [] for key in pairs}
        for number in range(max(10, bench.rounds // 4) + 1):
            for key, words in pairs.items():
                sample = bench.meter(words)
                if number > 0:
                    samples[key].append(sample)
        result[language] = {key: summary(found) for key, found in samples.items()}
    return result


def time_of(words):
    begin = time.perf_counter()
    subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return {"wall": (time.perf_counter() - begin) * 1000}


def podman(bench):
    """`podman run` end to end with each runtime; the root file system is the bench's own (no registry)."""
    if shutil.which("podman") is None:
        return {"skipped": "podman is not installed"}
    store = f"{bench.lab.folder}/podman"
    base = ["podman", "--root", f"{store}/root", "--runroot", f"{store}/run", "--cgroup-manager", "cgroupfs",
            "--events-backend", "none", "--storage-driver", "vfs"]
    contenders = only_oci(bench, "langsbx", "crun", "runc")

    def words(contender):
        return [*base, "--runtime", contender.path, "run", "--rm", "--network", "none", "--cgroups", "disabled",
                "--rootfs", contender.plain.rootfs, "/bin/true"]
    samples = {}
    for number in range(max(5, bench.rounds // 10) + 1):
        for contender in contenders:
            try:
                sample = time_of(words(contender))
            except subprocess.CalledProcessError as error:
                return {"skipped": f"podman does not run here ({contender.name}: {error.returncode})"}
            if number > 0:
                samples.setdefault(contender.name, []).append(sample)
    return {name: summary(found) for name, found in samples.items()}


SECTIONS = {"seccomp": seccomp, "guard": guard, "execute": execute_file, "engines": podman}
