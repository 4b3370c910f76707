"""Sections about parts: seccomp profiles, `execute`, engines."""
import os
import shutil
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

        def forget():
            shutil.rmtree(f"{contender.root}/.cache", ignore_errors=True)
        cold = interleaved(bench.meter, ours, lambda c: c.run_words(folder), bench.rounds, before=forget)["langsbx"]
        result["langsbx"] = {"plain": plain, "cached": cached, "cold": cold}
    return result


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


SECTIONS = {"seccomp": seccomp, "execute": execute.figures, "engines": podman}
