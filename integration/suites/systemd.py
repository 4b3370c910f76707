"""The systemd driver: scopes, limits as unit properties, names, properties from annotations. Runs where systemd is process 1."""
import os
import subprocess

from harness.case import contains, each, equal, expect, needs


def bundle(it, *args, slice_name="langsbxit.slice"):
    made = it.bundle(*(args or ("sleep", "1000")))
    made.linux["cgroupsPath"] = f"{slice_name}:langsbx-it:{it.tag}"
    it.rt.globals = ["--systemd-cgroup"]
    return made


def show(it, name):
    out = subprocess.run(["systemctl", "show", f"langsbx-it-{it.tag}.scope", "-p", name], check=True, capture_output=True, text=True)
    return out.stdout.strip().split("=", 1)[1]


@needs("systemd")
def test_scope(it):
    pid = it.rt.state(it.started(bundle(it)))["pid"]
    with open(f"/proc/{pid}/cgroup", encoding="ascii") as handle:
        contains(handle.read(), f"/langsbxit.slice/langsbx-it-{it.tag}.scope")
    equal(show(it, "ActiveState"), "active")
    equal(show(it, "Slice"), "langsbxit.slice")
    equal(show(it, "Delegate"), "yes")


@needs("systemd")
def test_scope_is_gone_after_delete(it):
    box = it.started(bundle(it))
    it.rt("delete", "--force", box).ok()
    it.until("the scope to go", lambda: show(it, "ActiveState") != "active")


@needs("systemd", "v2")
@each(memory=({"memory": {"limit": 67108864}}, "MemoryMax", "67108864"), pids=({"pids": {"limit": 55}}, "TasksMax", "55"),
      low=({"memory": {"reservation": 33554432}}, "MemoryLow", "33554432"),
      quota=({"cpu": {"quota": 50000, "period": 100000}}, "CPUQuotaPerSecUSec", "500ms"))
def test_limit(it, row):
    resources, name, wanted = row
    made = bundle(it)
    made.resources.update(resources)
    it.create(made).ok()
    equal(show(it, name), wanted)


@needs("systemd", "v2")
def test_limit_reaches_the_kernel(it):
    made = bundle(it)
    made.resources["memory"] = {"limit": 67108864}
    box = it.started(made)
    path = f"/sys/fs/cgroup/langsbxit.slice/langsbx-it-{it.tag}.scope"
    files = [f"{f}/memory.max" for f, _, _ in os.walk(path)]
    values = {open(f, encoding="ascii").read().strip() for f in files if os.path.exists(f)}
    expect("67108864" in values, f"{values}")
    # The later call comes without --systemd-cgroup, as conmon's and CRI-O's do.
    it.rt.globals = []
    it.rt("update", "--pids-limit", "44", box).ok()
    equal(show(it, "TasksMax"), "44")


@needs("systemd")
def test_property_from_annotation(it):
    made = bundle(it)
    made.config["annotations"] = {"org.systemd.property.TimeoutStopUSec": "uint64 7000000",
                                  "org.systemd.property.CollectMode": "'inactive-or-failed'"}
    it.create(made).ok()
    equal((show(it, "TimeoutStopUSec"), show(it, "CollectMode")), ("7s", "inactive-or-failed"))


@needs("systemd")
@each(slash="a/b:c:d", two="a.slice:b", four="a.slice:b:c:d")
def test_bad_path(it, path):
    made = bundle(it, "true")
    made.linux["cgroupsPath"] = path
    it.create(made).fails()


@needs("systemd")
def test_life_without_the_flag(it):
    box = it.started(bundle(it))
    it.rt.globals = []
    it.rt("exec", box, "true").ok()
    it.rt("pause", box).ok()
    it.rt("resume", box).ok()
    it.rt("kill", box, "KILL").ok()
    it.rt.wait_status(box, "stopped")
    it.rt("delete", box).ok()


@needs("systemd", "v2")
def test_a_frozen_scope_is_refused(it):
    """systemd moves init into the folder that is there; init must not hang in it, and nobody who waits for init."""
    made = bundle(it, "true")
    group = f"/sys/fs/cgroup/langsbxit.slice/langsbx-it-{it.tag}.scope"
    os.makedirs(group)
    try:
        with open(f"{group}/cgroup.freeze", "w", encoding="ascii") as handle:
            handle.write("1")
        for _ in range(2):
            it.create(made).fails("container's cgroup unexpectedly frozen")
            expect(not os.path.exists(f"{it.rt.root}/{it.id()}"), "something of the container stays")
            with open(f"{group}/cgroup.freeze", encoding="ascii") as handle:
                equal(handle.read(), "1\n", "it was somebody's, and stays as it was")
    finally:
        if os.path.exists(group):
            with open(f"{group}/cgroup.freeze", "w", encoding="ascii") as handle:
                handle.write("0")
            os.rmdir(group)
