"""A guard profile's limits on a container: in force, exact, never looser than config.json."""
import json
import os
import time

from harness import host
from harness.case import contains, each, equal, expect, needs, only, slow

PROFILE = """name: {name}
language: bash
extends: default
description: For tests
limits: {limits}
"""


def profile(limits, name="small"):
    """The administrator's profile, in an /etc that only this case sees."""
    host.private_mounts()
    host.mount("tmpfs", "/etc", "tmpfs", 0)
    os.makedirs("/etc/langsbx/profiles")
    with open(f"/etc/langsbx/profiles/{name}.yaml", "w", encoding="ascii") as handle:
        handle.write(PROFILE.format(name=name, limits=limits))


def guarded(made, mode="enforce", name="small"):
    made.config["annotations"] = {"io.langsbx.guard": mode, "io.langsbx.profile": name}
    return made


def control(it, made, controller, v1, v2):
    with open(f"{it.cgroup_dir(controller, made)}/{v2 if host.cgroup_mode() == 'v2' else v1}", encoding="ascii") as handle:
        return handle.read().split()


def rlimits(it, box):
    with open(f"/proc/{it.rt.state(box)['pid']}/limits", encoding="ascii") as handle:
        rows = [line.split("  ") for line in handle]
    return {row[0]: [cell.strip() for cell in row[1:] if cell.strip()] for row in rows}


def verdicts(it, box):
    return json.loads(it.rt("inspect", "-f", "json", box).ok().out)["guard"]


@only("langsbx")
@needs("controller:memory", "controller:pids", "controller:cpu")
def test_all_are_in_force(it):
    profile("{memory: 64Mi, cpu: 0.5, cpu_time: 7s, processes: 6, files: 20, disk: 1Mi}")
    made = guarded(it.bundle("sh", "-c", "sleep 1000"))
    box = it.started(made)
    equal(control(it, made, "memory", "memory.limit_in_bytes", "memory.max"), [str(64 << 20)])
    equal(control(it, made, "pids", "pids.max", "pids.max"), ["6"])
    if host.cgroup_mode() == "v2":
        equal(control(it, made, "cpu", "", "cpu.max"), ["50000", "100000"])
    else:
        equal(control(it, made, "cpu", "cpu.cfs_quota_us", ""), ["50000"])
    found = rlimits(it, box)
    equal(found["Max open files"][:2], ["20", "20"])
    equal(found["Max cpu time"][:2], ["7", "8"])
    equal(found["Max file size"][:2], [str(1 << 20), str(1 << 20)])


@only("langsbx")
@needs("controller:memory", "controller:pids")
def test_the_stricter_of_both_holds(it):
    profile("{memory: 64Mi, processes: 6, files: 20}")
    made = guarded(it.bundle("sh", "-c", "sleep 1000"))
    made.resources.update(memory={"limit": 32 << 20}, pids={"limit": 100})
    made.process["rlimits"] = [{"type": "RLIMIT_NOFILE", "soft": 64, "hard": 4096}]
    box = it.started(made)
    equal(control(it, made, "memory", "memory.limit_in_bytes", "memory.max"), [str(32 << 20)])
    equal(control(it, made, "pids", "pids.max", "pids.max"), ["6"])
    equal(rlimits(it, box)["Max open files"][:2], ["20", "20"])


@only("langsbx")
@needs("controller:pids")
def test_one_process_is_one(it):
    profile("{processes: 1}")
    made = guarded(it.bundle("sh", "-c", "echo alone; ls .; echo never"))
    result = it.run(made)
    expect(result.out.startswith("alone\n") and "never" not in result.out, f"out: {result.out!r}")
    contains(result.err, "fork")


@only("langsbx")
def test_files_of_exec(it):
    profile("{files: 20}")
    box = it.started(guarded(it.bundle("sh", "-c", "sleep 1000")))
    equal(it.rt("exec", box, "sh", "-c", "ulimit -n").ok().out, "20\n")


@only("langsbx")
@slow(60)
@each(foreground=True, detached=False)
def test_wall_time(it, foreground):
    profile("{wall_time: 1s}")
    made = guarded(it.bundle("sh", "-c", "sleep 1000"))
    begin = time.monotonic()
    if foreground:
        equal(it.run(made).code, 137)
    else:
        box = it.started(made)
        it.rt.wait_status(box, "stopped")
        ended = verdicts(it, box)[-1]
        equal((ended["verdict"], ended["problem"]), ("ended", "its wall time is used up"))
        contains(it.rt("inspect", box).ok().out, "its wall time is used up")
        # The log that stays has it, too, a moment later.
        call = ("verdicts", "--json", "--container", box)
        it.until("the line of the log", lambda: "ended" in it.rt(*call).ok().out)
        line = json.loads(it.rt(*call).ok().out.splitlines()[-1])
        equal((line["verdict"], line["language"], line["problem"]), ("ended", "bash", "its wall time is used up"))
    expect(time.monotonic() - begin >= 0.9, "ended early")


@only("langsbx")
@slow(60)
@needs("controller:cpu")
def test_processor_time_of_all_processes(it):
    # Many short processes: none reaches its own limit.
    profile("{cpu_time: 1s}")
    box = it.started(guarded(it.bundle("sh", "-c", "while true; do seq 20000 > /dev/null; done")))
    it.rt.wait_status(box, "stopped")
    equal(verdicts(it, box)[-1]["problem"], "its processor time is used up")


@only("langsbx")
@needs("controller:pids")
def test_observing_limits_nothing(it):
    profile("{files: 20, processes: 1, wall_time: 1s}")
    made = guarded(it.bundle("sh", "-c", "sleep 2; ls . > /dev/null && ulimit -n"), mode="observe")
    expect(int(it.run(made).ok().out) > 20, "limited")
