"""Sections about parts: seccomp profiles, `execute`, engines."""
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import time

import execute
from measure import interleaved, summary
from starting import docker_like_profile, only_oci


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

        def forget(contender=contender):
            shutil.rmtree(f"{contender.root}/.cache", ignore_errors=True)
        cold = interleaved(bench.meter, ours, lambda c: c.run_words(folder), bench.rounds, before=forget)["langsbx"]
        result["run"] = {"plain": plain, "cached": cached, "cold": cold}
        found, loaded = spent_on_seccomp(contender, folder, bench.rounds, lambda: None)
        compiled, _ = spent_on_seccomp(contender, folder, bench.rounds, forget)
        result["filter, microseconds"] = {"cached": found, "cold": compiled, "the kernel's loading": loaded}
    return result


def spent_on_seccomp(contender, folder, rounds, before):
    """What --trace says, in microseconds: finding or compiling the filter, and what the kernel takes to load it."""
    timeline, took = f"{contender.folder}/timeline", {"seccomp: find or compile": [], "seccomp: load": []}
    for _ in range(rounds):
        before()
        words = contender.run_words(folder)
        subprocess.run([words[0], "--trace", timeline, *words[1:]], check=True, stdin=subprocess.DEVNULL)
        with open(timeline, encoding="ascii") as handle:
            for event in json.load(handle)["traceEvents"]:
                if event["name"] in took:
                    took[event["name"]].append(event["dur"])
    return [round(statistics.median(values), 1) for values in took.values()]


def time_of(words):
    begin = time.perf_counter()
    subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return {"wall": (time.perf_counter() - begin) * 1000}


def podman_words(bench):
    """{runtime: words} of `podman run`; the root file system is the bench's own (no registry)."""
    store = f"{bench.lab.folder}/podman"
    base = ["podman", "--root", f"{store}/root", "--runroot", f"{store}/run", "--cgroup-manager", "cgroupfs",
            "--events-backend", "none", "--storage-driver", "vfs"]
    return {c.name: [*base, "--runtime", c.path, "run", "--rm", "--network", "none", "--cgroup-parent",
                     f"/{bench.lab.cgroup}/podman", "--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024",
                     "--rootfs", c.plain.rootfs, "/bin/true"] for c in only_oci(bench, *ENGINE_RUNTIMES)}


@contextlib.contextmanager
def docker_daemon(bench):
    """The words of a docker client whose daemon knows the runtimes and touches no network of the host."""
    folder = f"{bench.lab.folder}/docker"
    os.makedirs(folder)
    client = ["docker", "--host", f"unix://{folder}/socket"]
    runtimes = [f"--add-runtime=it-{c.name}={c.path}" for c in only_oci(bench, *ENGINE_RUNTIMES)]
    with open(f"{folder}/settings.json", "w", encoding="ascii") as handle:
        json.dump({"shutdown-timeout": 5}, handle)
    with open(f"{folder}/log", "wb") as log:
        daemon = subprocess.Popen(
            ["dockerd", "--config-file", f"{folder}/settings.json", "--data-root", f"{folder}/data", "--exec-root",
             f"{folder}/exec", "--pidfile", f"{folder}/pid", "--host", client[2], "--exec-opt",
             "native.cgroupdriver=cgroupfs", "--cgroup-parent", f"/{bench.lab.cgroup}/docker", "--bridge", "none",
             "--iptables=false", "--ip6tables=false", "--storage-driver", "vfs", *runtimes],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 60
        while subprocess.run([*client, "info"], capture_output=True, check=False).returncode != 0:
            if daemon.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"dockerd did not come up; see {folder}/log")
            time.sleep(0.2)
        with subprocess.Popen(["tar", "-C", bench.lab.template, "-c", "."], stdout=subprocess.PIPE) as archive:
            subprocess.run([*client, "import", "-", "box:1"], stdin=archive.stdout, check=True, capture_output=True)
        yield client
    finally:
        daemon.terminate()
        daemon.wait()


def in_turn(words, rounds):
    samples = {name: [] for name in words}
    for number in range(rounds + 1):
        for name, command in words.items():
            sample = time_of(command)
            if number > 0:
                samples[name].append(sample)
    return {name: summary(found) for name, found in samples.items()}


ENGINE_RUNTIMES = ("langsbx", "crun", "runc")


def engines(bench):
    """`podman run` and `docker run` end to end with each runtime."""
    result, rounds = {}, max(5, bench.rounds // 5)

    def take(title, figures):
        for name, figure in figures.items():
            result.setdefault(name, {})[title] = figure
    if shutil.which("podman"):
        take("podman run", in_turn(podman_words(bench), rounds))
    if shutil.which("dockerd") and shutil.which("docker"):
        with docker_daemon(bench) as client:
            take("docker run", in_turn({c.name: [*client, "run", "--rm", "--network", "none", "--runtime", f"it-{c.name}",
                                                 "box:1", "/bin/true"] for c in only_oci(bench, *ENGINE_RUNTIMES)}, rounds))
    return result or {"skipped": "neither podman nor dockerd is installed"}


SECTIONS = {"seccomp": seccomp, "execute": execute.figures, "engines": engines}
