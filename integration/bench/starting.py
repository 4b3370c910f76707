"""Sections about starting containers: run, protected, lifecycle, exec, parallel, cold, memory."""
import itertools
import json
import os
import subprocess

from contender import LANES, REPOSITORY
from measure import interleaved, summary

SERIALS = itertools.count()
SECCOMP = f"{REPOSITORY}/seccomp-profiles/default.json"


def only_oci(bench, *names):
    return [c for c in bench.contenders if c.oci and (not names or c.name in names)]


def run(bench):
    """`run` of a static true in six namespaces with a cgroup of its own; no seccomp, no guard."""
    return interleaved(bench.meter, bench.contenders, lambda c: c.run_words(), bench.rounds)


def python_source(size=5000):
    """Harmless Python of that size: functions, loops, strings, as programs have them."""
    part = ("def step_{0}(values, limit={0}):\n    total = 0\n    for index, value in enumerate(values):\n"
            "        if value > limit and index % 3 != 1:\n            total += value * {0}\n"
            "    return f'step {0}: {{total}}'\n\n\n")
    text, number = "import math\n\n", 1
    while len(text) < size:
        text, number = text + part.format(number), number + 1
    return text[:text.rindex("def ")] + "print(step_1([1, 2, 3]), math.pi)\n"


def docker_like_profile():
    """The calls that the default profile allows without looking at arguments, each named once: crun refuses a
    profile that names one twice."""
    with open(SECCOMP, encoding="utf-8") as handle:
        profile = json.load(handle)
    names = {name for rule in profile["syscalls"] if rule["action"] == "SCMP_ACT_ALLOW" and not rule.get("args")
             for name in rule["names"]}
    return {"defaultAction": "SCMP_ACT_ERRNO", "architectures": ["SCMP_ARCH_X86_64"],
            "syscalls": [{"names": sorted(names), "action": "SCMP_ACT_ALLOW"}]}


def protect(contender):
    """Seccomp for all; both Landlock layers and the guard for langsbx. The program is a static true that
    bears the name of the interpreter, so that no interpreter's own time is measured."""
    profile = docker_like_profile()
    tree = contender.plain.rootfs
    os.makedirs(f"{tree}/program", exist_ok=True)
    if not os.path.lexists(f"{tree}/bin/python3"):
        os.symlink("busybox", f"{tree}/bin/python3")
    with open(f"{tree}/program/main.py", "w", encoding="ascii") as handle:
        handle.write(python_source())
    subprocess.run(["gcc", "-O2", "-static", "-x", "c", "-o", f"{tree}/bin/python3.new", "-"], check=True,
                   input=b"int main(void){return 0;}")
    os.replace(f"{tree}/bin/python3.new", f"{tree}/bin/python3")

    def change(config):
        config["linux"]["seccomp"] = profile
        config["process"]["noNewPrivileges"] = True
        config["process"]["args"] = ["/bin/python3", "/program/main.py"]
        config["process"]["cwd"] = "/program"
        if contender.name == "langsbx":
            config["annotations"] = {"io.langsbx.guard": "enforce", "io.langsbx.profile": "default",
                                     "io.langsbx.language": "python"}
    return contender.variant("protected", change)


def protected(bench):
    """langsbx with seccomp, both Landlock layers and the guard on 5 kB of Python; crun and runc with the same
    seccomp profile and nothing else."""
    contenders = only_oci(bench, "langsbx", "crun", "runc")
    folders = {c.name: protect(c) for c in contenders}
    return interleaved(bench.meter, contenders, lambda c: c.run_words(folders[c.name]), bench.rounds)


def lifecycle(bench):
    """create, start and delete as three processes, as containerd and conmon call them."""
    return interleaved(bench.meter, only_oci(bench, "langsbx", "crun", "runc"), lambda c: c.lifecycle_words(),
                       bench.rounds)


def execute(bench):
    """`exec` of a static true in a container that sleeps."""
    contenders = only_oci(bench, "langsbx", "crun", "runc")
    for contender in contenders:
        contender.start_box()
    try:
        return interleaved(bench.meter, contenders, lambda c: c.exec_words(), bench.rounds)
    finally:
        for contender in contenders:
            contender.stop_box()


def eight_at_a_time(program, contender, lanes, count):
    """Milliseconds for one when as many as there are lanes run at a time."""
    words = [word for lane in lanes for word in ("::", *lane)][1:]
    done = subprocess.run([program, str(count // len(lanes)), f"p{os.getpid()}x{contender.name}{next(SERIALS)}n", *words],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{contender.name}: a parallel run failed")
    wall = int(done.stdout) / 1000 / count
    return {"wall": wall, "containers_a_second": 1000 / wall}


def parallel(bench):
    """96 containers, 8 at a time, through `run`; milliseconds for one. The bare program shows what the machine gives."""
    contenders = [c for c in bench.contenders if c.name in ("langsbx", "crun", "runc", "floor")]
    lanes = {c.name: [c.lane_words(lane) for lane in LANES] for c in contenders}
    samples = {c.name: [] for c in contenders}
    program = bench.lab.build("lanes")
    for _ in range(max(3, bench.rounds // 10)):
        for contender in contenders:
            samples[contender.name].append(eight_at_a_time(program, contender, lanes[contender.name], 96))
    return {name: summary(found) for name, found in samples.items()}


def drop_caches():
    os.sync()
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as handle:
        handle.write("3")


def cold(bench):
    """`run` right after the page cache was dropped: binary, config and root file system come from the disk."""
    return interleaved(bench.meter, only_oci(bench, "langsbx", "crun", "runc"), lambda c: c.run_words(),
                       max(5, bench.rounds // 10), before=drop_caches)


def smallest(contender, field, start):
    """The smallest limit under which `run` works: halving down from `start`."""
    found, value = None, start
    while value >= 1:
        def change(config, limit=value):
            config["linux"]["resources"][field] = {"limit": limit}
        words = contender.run_words(contender.variant("smallest", change))
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
        if done.returncode != 0:
            break
        found, value = value, value // 2
    return found


def memory(bench):
    """Peak resident set of the largest process of one `run`, and the smallest limits that still start."""
    figures = interleaved(bench.meter, bench.contenders, lambda c: c.run_words(), 5)
    result = {}
    for contender in bench.contenders:
        entry = {"resident": figures[contender.name]["resident"], "faults": figures[contender.name]["faults"]}
        if contender.name in ("langsbx", "crun", "runc"):
            entry["memory_limit"] = smallest(contender, "memory", 64 << 20)
            entry["pids_limit"] = smallest(contender, "pids", 8)
        result[contender.name] = entry
    return result


SECTIONS = {"run": run, "protected": protected, "lifecycle": lifecycle, "exec": execute, "parallel": parallel,
            "cold": cold, "memory": memory}
