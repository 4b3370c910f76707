"""resources: each limit on v1 and v2, update, stats, paths, delegation, OOM."""
import errno
import json
import os
import subprocess

from harness import host
from harness.case import Skip, contains, each, equal, expect, needs, only


def value(it, made, v1, v2):
    """The content of the file that holds this limit here: "controller/file" on v1, "file" on v2."""
    controller, name = v1.split("/", 1)
    path = it.cgroup_dir(controller, made) + "/" + (v2 if host.cgroup_mode() == "v2" else name)
    if not os.path.exists(path):
        raise Skip(f"no {path}")
    with open(path, encoding="ascii") as handle:
        return handle.read().strip()


LIMITS = {
    "memory": (("memory", "limit", 67108864), ("memory/memory.limit_in_bytes", "67108864"), ("memory.max", "67108864")),
    "reservation": (("memory", "reservation", 33554432), ("memory/memory.soft_limit_in_bytes", "33554432"),
                    ("memory.low", "33554432")),
    "swappiness": (("memory", "swappiness", 17), ("memory/memory.swappiness", "17"), None),
    "shares": (("cpu", "shares", 512), ("cpu/cpu.shares", "512"), None),
    "quota": (("cpu", "quota", 50000), ("cpu/cpu.cfs_quota_us", "50000"), ("cpu.max", "50000 100000")),
    "period": (("cpu", "period", 50000), ("cpu/cpu.cfs_period_us", "50000"), ("cpu.max", "max 50000")),
    "cpus": (("cpu", "cpus", "0"), ("cpuset/cpuset.cpus", "0"), ("cpuset.cpus", "0")),
    "mems": (("cpu", "mems", "0"), ("cpuset/cpuset.mems", "0"), ("cpuset.mems", "0")),
    "idle": (("cpu", "idle", 1), ("cpu/cpu.idle", "1"), ("cpu.idle", "1")),
    "pids": (("pids", "limit", 33), ("pids/pids.max", "33"), ("pids.max", "33")),
    "pids_unlimited": (("pids", "limit", -1), ("pids/pids.max", "max"), ("pids.max", "max")),
}


@needs("v1")
def test_a_frozen_cgroup_is_refused(it):
    made = it.bundle("true")
    group = it.cgroup_dir("freezer", made)
    os.makedirs(group, exist_ok=True)
    try:
        with open(group + "/freezer.state", "w", encoding="ascii") as handle:
            handle.write("FROZEN")
        it.create(made).fails("container's cgroup unexpectedly frozen")
    finally:
        with open(group + "/freezer.state", "w", encoding="ascii") as handle:
            handle.write("THAWED")
        os.rmdir(group)


@needs("v1")
@only("langsbx")
@each(elsewhere=True, nowhere=False)
def test_ordinary_directory_under_the_name_of_a_hierarchy(it, elsewhere):
    """It is not taken for one: the hierarchy is found where it is mounted, or done without."""
    host.private_mounts()
    place, view = f"{it.folder}/pids", f"{it.folder}/cgroup"
    for folder in (place, view):
        os.mkdir(folder)
    if elsewhere:
        host.mount("/sys/fs/cgroup/pids", place, None, host.MS_BIND)
    host.mount("cgroups", view, "tmpfs", 0, "mode=755,size=64k")
    for name in os.listdir("/sys/fs/cgroup"):
        source = f"/sys/fs/cgroup/{name}"
        if os.path.islink(source):
            os.symlink(os.readlink(source), f"{view}/{name}")
            continue
        os.mkdir(f"{view}/{name}")
        if name != "pids":
            host.mount(source, f"{view}/{name}", None, host.MS_BIND)
    host.mount(view, "/sys/fs/cgroup", None, 8192)  # MS_MOVE
    with open("/proc/self/cgroup", encoding="ascii") as handle:
        own = [line.strip().split(":", 2)[2] for line in handle if ":pids:" in line][0]
    os.makedirs("/sys/fs/cgroup/pids" + own, exist_ok=True)  # as other programs leave them
    made = it.bundle("sleep", "1000")
    group = made.linux["cgroupsPath"]
    it.started(made)
    equal(os.listdir("/sys/fs/cgroup/pids"), [] if own == "/" else [own.split("/")[1]])
    equal(os.path.exists(f"{place}{group}/tasks"), elsewhere)
    it.rt("delete", "--force", it.id()).ok()
    made.resources["pids"] = {"limit": 20}
    if elsewhere:
        it.started(made)
        with open(f"{place}{group}/pids.max", encoding="ascii") as handle:
            equal(handle.read().strip(), "20")
        it.rt("delete", "--force", it.id()).ok()
        try:
            os.rmdir(os.path.dirname(f"{place}{group}"))
        except OSError as error:
            expect(error.errno == errno.EBUSY, error)  # the cases beside this one have the same parent
        subprocess.run(["umount", place], check=True)
    else:
        it.create(made).fails("pids")


@each(**LIMITS)
def test_limit(it, row):
    (group, field, number), v1, v2 = row
    wanted = v2 if host.cgroup_mode() == "v2" else v1
    if wanted is None:
        raise Skip("not on v2")
    made = it.bundle("sleep", "1000")
    made.resources[group] = {field: number}
    it.create(made).ok()
    equal(value(it, made, v1[0], v2[0] if v2 else ""), wanted[1])


def test_swap(it):
    made = it.bundle("sleep", "1000")
    made.resources["memory"] = {"limit": 67108864, "swap": 134217728}
    it.create(made).ok()
    equal(value(it, made, "memory/memory.memsw.limit_in_bytes", "memory.swap.max"),
          "67108864" if host.cgroup_mode() == "v2" else "134217728")


def test_shares_to_weight(it):
    if host.cgroup_mode() != "v2":
        raise Skip("v2 only")
    made = it.bundle("sleep", "1000")
    made.resources["cpu"] = {"shares": 1024}
    it.create(made).ok()
    equal(value(it, made, "cpu/x", "cpu.weight"), "100" if it.rt.name == "langsbx" else "39")


@needs("v2")
def test_unified(it):
    made = it.bundle("sleep", "1000")
    made.resources["unified"] = {"memory.high": "50331648", "pids.max": "44"}
    it.create(made).ok()
    equal((value(it, made, "x/x", "memory.high"), value(it, made, "x/x", "pids.max")), ("50331648", "44"))


@needs("v2")
def test_unified_unknown(it):
    made = it.bundle("true")
    made.resources["unified"] = {"nosuch.file": "1"}
    it.create(made).fails("nosuch.file")


@needs("v2")
@each(slash="../memory.max", deep="a/b")
def test_unified_path(it, name):
    made = it.bundle("true")
    made.resources["unified"] = {name: "1"}
    it.create(made).fails()


@needs("v1")
def test_hybrid_unified_refused(it):
    made = it.bundle("true")
    made.resources["unified"] = {"memory.max": "1000000"}
    it.create(made).fails()


def test_pids_enforced(it):
    made = it.bundle(shell="for i in 1 2 3 4 5 6 7 8 9; do sleep 1 & done; wait")
    made.resources["pids"] = {"limit": 5}
    contains(it.run(made).text, "fork")


def test_pids_one_is_enough(it):
    made = it.bundle("true")
    made.resources["pids"] = {"limit": 1}
    result = it.run(made)
    if it.rt.name == "runc" and result.code != 0:
        raise Skip("runc needs more")
    result.ok()


def test_little_memory_is_enough(it):
    made = it.bundle("true")
    made.resources["memory"] = {"limit": 512 << 10}
    result = it.run(made)
    if it.rt.name == "runc" and result.code != 0:
        raise Skip("runc needs more")
    result.ok()


def test_oom_kill(it):
    made = it.bundle(shell="x=a; while :; do x=$x$x; done")
    made.resources["memory"] = {"limit": 16777216, "swap": 16777216}
    equal(it.run(made).code, 137)


def test_path_is_used(it):
    made = it.bundle("sleep", "1000")
    pid = it.rt.state(it.started(made))["pid"]
    with open(f"/proc/{pid}/cgroup", encoding="ascii") as handle:
        contains(handle.read(), made.linux["cgroupsPath"])


def test_removed_after_delete(it):
    made = it.bundle("true")
    it.run(made).ok()
    expect(not os.path.exists(it.cgroup_dir("pids", made)), "the cgroup stays")


def test_cpus_invalid(it):
    made = it.bundle("true")
    made.resources["cpu"] = {"cpus": "9000"}
    it.create(made).fails("cpus")


def test_device_rules_of_host_untouched(it):
    if host.cgroup_mode() == "v2":
        raise Skip("v1 only")
    made = it.bundle("sleep", "1000")
    it.create(made).ok()
    with open(it.cgroup_dir("devices", made) + "/devices.list", encoding="ascii") as handle:
        rules = handle.read()
    expect("a *:* rwm" not in rules, rules)
    contains(rules, "c 1:3 rwm")


UPDATES = {
    "memory": (["--memory", "33554432"], "memory/memory.limit_in_bytes", "memory.max", "33554432"),
    "pids": (["--pids-limit", "21"], "pids/pids.max", "pids.max", "21"),
    "cpu_share": (["--cpu-share", "300"], "cpu/cpu.shares", None, "300"),
    "quota": (["--cpu-quota", "20000"], "cpu/cpu.cfs_quota_us", "cpu.max", "20000"),
    "cpuset": (["--cpuset-cpus", "0"], "cpuset/cpuset.cpus", "cpuset.cpus", "0"),
    "reservation": (["--memory-reservation", "16777216"], "memory/memory.soft_limit_in_bytes", "memory.low", "16777216"),
    "period": (["--cpu-period", "200000"], "cpu/cpu.cfs_period_us", "cpu.max", "200000"),
}


@each(**UPDATES)
def test_update(it, row):
    flags, v1, v2, wanted = row
    if host.cgroup_mode() == "v2" and v2 is None:
        raise Skip("not on v2")
    made = it.bundle("sleep", "1000")
    box = it.started(made)
    it.rt("update", *flags, box).ok()
    contains(value(it, made, v1, v2 or "").split(), wanted)


def test_update_docker_zero_means_unset(it):
    made = it.bundle("sleep", "1000")
    made.resources["memory"] = {"limit": 67108864}
    box = it.started(made)
    text = {"memory": {"limit": 0, "reservation": 0, "kernel": 0}, "cpu": {"shares": 0, "quota": 50000, "period": 100000},
            "blockIO": {"weight": 0}}
    it.rt("update", "--resources", "-", box, stdin=json.dumps(text)).ok()
    contains(value(it, made, "cpu/cpu.cfs_quota_us", "cpu.max"), "50000")
    equal(value(it, made, "memory/memory.limit_in_bytes", "memory.max"), "67108864")


def test_update_file(it):
    made = it.bundle("sleep", "1000")
    box = it.started(made)
    with open(f"{it.folder}/r.json", "w", encoding="ascii") as handle:
        json.dump({"pids": {"limit": 19}}, handle)
    it.rt("update", f"--resources={it.folder}/r.json", box).ok()
    equal(value(it, made, "pids/pids.max", "pids.max"), "19")


def test_update_keeps_others(it):
    made = it.bundle("sleep", "1000")
    made.resources["memory"] = {"limit": 67108864}
    made.resources["pids"] = {"limit": 50}
    box = it.started(made)
    it.rt("update", "--cpu-quota", "30000", box).ok()
    equal((value(it, made, "memory/memory.limit_in_bytes", "memory.max"), value(it, made, "pids/pids.max", "pids.max")),
          ("67108864", "50"))


@only("langsbx")
def test_update_is_all_or_nothing(it):
    """A later controller refuses (there is no such disk): what earlier ones took is taken back."""
    made = it.bundle("sleep", "1000")
    made.resources["memory"] = {"limit": 67108864, "swap": 67108864}
    made.resources["pids"] = {"limit": 50}
    box = it.started(made)
    wish = {"memory": {"limit": 134217728, "swap": 134217728}, "pids": {"limit": 60},
            "cpu": {"shares": 100, "quota": 30000, "period": 100000},
            "blockIO": {"throttleReadBpsDevice": [{"major": 250, "minor": 250, "rate": 1000}]}}
    it.rt("update", "--resources", "-", box, stdin=json.dumps(wish)).fails("throttleReadBpsDevice")
    equal((value(it, made, "memory/memory.limit_in_bytes", "memory.max"), value(it, made, "pids/pids.max", "pids.max")),
          ("67108864", "50"))
    equal(value(it, made, "cpu/cpu.cfs_quota_us", "cpu.max").split()[0], "-1" if host.cgroup_mode() != "v2" else "max")


def test_update_cri_devices(it):
    made = it.bundle("sleep", "1000")
    box = it.started(made)
    text = {"devices": [{"allow": False, "access": "rwm"}], "memory": {"limit": 33554432, "swap": 33554432},
            "cpu": {"shares": 512, "quota": 50000, "period": 100000}}
    it.rt("update", "--resources", "-", box, stdin=json.dumps(text)).ok()
    it.rt("exec", box, "sh", "-c", "echo > /dev/null").ok()


def test_update_bad_json(it):
    it.rt("update", "--resources", "-", it.started(), stdin="{nonsense").fails()


def test_update_stopped(it):
    box = it.started(it.bundle("true"))
    it.rt.wait_status(box, "stopped")
    it.rt("update", "--pids-limit", "5", box).fails()


@needs("controller:pids", "controller:memory")
def test_few_descriptors_change_no_limit(it):
    """Init can't be handed the files of its cgroups then; what is limited is so all the same."""
    made = it.bundle("sleep", "1000")
    made.process["rlimits"] = [{"type": "RLIMIT_NOFILE", "hard": 20, "soft": 20}]
    made.linux["resources"] = {"pids": {"limit": 33}, "memory": {"limit": 67108864}}
    it.started(made)
    equal(value(it, made, "pids/pids.max", "pids.max"), "33")
    equal(value(it, made, "memory/memory.limit_in_bytes", "memory.max"), "67108864")
