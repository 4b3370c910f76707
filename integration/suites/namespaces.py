"""namespaces: new, joined by path, refused; id maps, time offsets, host name, sysctl."""
import os
import subprocess

from harness.case import contains, each, equal, expect, needs

KINDS = {"pid": "pid", "network": "net", "ipc": "ipc", "uts": "uts", "mount": "mnt", "cgroup": "cgroup", "user": "user"}


@each(pid="pid", network="network", ipc="ipc", uts="uts", mount="mount", cgroup="cgroup")
def test_new(it, kind):
    made = it.bundle().namespace(kind)
    inside = it.sh(f"readlink /proc/self/ns/{KINDS[kind]}", made)
    expect(inside != os.readlink(f"/proc/self/ns/{KINDS[kind]}"), f"{kind}: the host's own")


@each(network="network", ipc="ipc", pid="pid")
def test_not_listed_is_inherited(it, kind):
    made = it.bundle().without_namespace(kind)
    if kind == "ipc":
        made.config["mounts"] = [m for m in made.config["mounts"] if m["type"] != "mqueue"]
    equal(it.sh(f"readlink /proc/self/ns/{KINDS[kind]}", made), os.readlink(f"/proc/self/ns/{KINDS[kind]}"))


@each(network="network", ipc="ipc", uts="uts", pid="pid")
def test_join_by_path(it, kind):
    box = it.started(suffix="first")
    path = f"/proc/{it.rt.state(box)['pid']}/ns/{KINDS[kind]}"
    made = it.bundle().namespace(kind, path)
    if kind == "uts":
        del made.config["hostname"]
    equal(it.sh(f"readlink /proc/self/ns/{KINDS[kind]}", made), os.readlink(path))


def test_join_wrong_kind(it):
    it.run(it.bundle("true").namespace("network", "/proc/self/ns/ipc")).fails()


def test_join_missing(it):
    it.run(it.bundle("true").namespace("network", "/no/such/ns")).fails("/no/such/ns")


def test_join_plain_file(it):
    it.run(it.bundle("true").namespace("ipc", "/etc/passwd")).fails()


def test_duplicate(it):
    made = it.bundle("true")
    made.linux["namespaces"].append({"type": "ipc"})
    it.run(made).fails("ipc")


def test_unknown_kind(it):
    made = it.bundle("true")
    made.linux["namespaces"].append({"type": "galaxy"})
    it.run(made).fails("galaxy")


def test_pid_one(it):
    equal(it.sh("echo $$"), "1")


def test_hostname(it):
    equal(it.sh("hostname"), "box")


def test_hostname_without_uts(it):
    it.run(it.bundle("true").without_namespace("uts")).fails("uts")


def test_domainname(it):
    made = it.bundle()
    made.config["domainname"] = "example.dom"
    result = it.run(made.shell("cat /proc/sys/kernel/domainname"))
    equal(result.ok().out.strip(), "example.dom")


def test_user_namespace(it):
    made = it.bundle().user_namespace()
    out = it.sh("id -u; cat /proc/self/uid_map /proc/self/gid_map; stat -c %u /bin", made).split()
    equal(out, ["0", "0", "100000", "65536", "0", "100000", "65536", "0"])


def test_user_namespace_devices(it):
    made = it.bundle().user_namespace()
    equal(it.sh("echo x > /dev/null && head -c 3 /dev/zero | wc -c", made), "3")


def test_user_namespace_many_lines(it):
    made = it.bundle("wc", "-l", "/proc/self/uid_map").user_namespace()
    lines = [{"containerID": n, "hostID": 100000 + n, "size": 1} for n in range(200)]
    made.linux["uidMappings"], made.linux["gidMappings"] = lines, lines
    contains(it.run(made).ok().out, "200")


def test_user_namespace_without_mapping(it):
    made = it.bundle("true").namespace("user")
    it.run(made).fails()


def test_mapping_without_user_namespace(it):
    made = it.bundle("true")
    made.linux["uidMappings"] = [{"containerID": 0, "hostID": 1000, "size": 1}]
    it.run(made).fails("user")


@needs("path:/proc/self/ns/time")
def test_time_namespace(it):
    made = it.bundle().namespace("time")
    made.linux["timeOffsets"] = {"boottime": {"secs": 1000000, "nanosecs": 0}}
    inside = float(it.sh("cut -d' ' -f1 /proc/uptime", made))
    with open("/proc/uptime", encoding="ascii") as handle:
        expect(inside > float(handle.read().split()[0]) + 900000, f"uptime {inside}")


def is_shifted(it, made):
    made.namespace("time")
    made.linux["timeOffsets"] = {"boottime": {"secs": 1000000, "nanosecs": 0}}
    inside = float(it.sh("cut -d' ' -f1 /proc/uptime", made))
    with open("/proc/uptime", encoding="ascii") as handle:
        expect(inside > float(handle.read().split()[0]) + 900000, f"uptime {inside}")


@needs("path:/proc/self/ns/time")
def test_time_offsets_in_a_user_namespace(it):
    is_shifted(it, it.bundle().user_namespace())


@needs("path:/proc/self/ns/time")
@each(user=("user",), user_and_pid=("user", "pid"))
def test_time_offsets_in_a_joined_user_namespace(it, kinds):
    it.started(it.bundle("sleep", "1000").user_namespace(), suffix="first")
    made = it.bundle().user_namespace()
    del made.linux["uidMappings"], made.linux["gidMappings"]
    for kind in kinds:
        made.namespace(kind, f"/proc/{it.rt.state(it.id('first'))['pid']}/ns/{kind}")
    is_shifted(it, made)


@needs("path:/proc/self/ns/time")
def test_time_offsets_without_namespace(it):
    made = it.bundle("true")
    made.linux["timeOffsets"] = {"monotonic": {"secs": 10, "nanosecs": 0}}
    it.run(made).fails("time")


def test_sysctl(it):
    made = it.bundle()
    made.linux["sysctl"] = {"net.ipv4.ip_forward": "1", "kernel.shm_rmid_forced": "1", "kernel/msgmax": "9000"}
    out = it.sh("cat /proc/sys/net/ipv4/ip_forward /proc/sys/kernel/shm_rmid_forced /proc/sys/kernel/msgmax", made)
    equal(out.split(), ["1", "1", "9000"])


@each(host_wide=("kernel.panic", "1"), core_pattern=("kernel.core_pattern", "|/bin/evil"), vm=("vm.swappiness", "1"),
      dots=("net/../kernel/panic", "1"), hostname=("kernel.hostname", "x"), unknown=("no.such", "1"))
def test_sysctl_refused(it, value):
    made = it.bundle("true")
    made.linux["sysctl"] = {value[0]: value[1]}
    it.run(made).fails("sysctl")


def test_sysctl_net_with_host_network(it):
    made = it.bundle("true").without_namespace("network")
    made.config["mounts"] = [m for m in made.config["mounts"] if m["type"] != "sysfs"]
    made.linux["sysctl"] = {"net.ipv4.ip_forward": "1"}
    it.run(made).fails("sysctl")


def test_loopback_is_up(it):
    contains(it.sh("ip addr show lo"), "127.0.0.1")


@needs("program:ip")
def test_network_device_move(it):
    name = f"it{it.settings.run_id[:8]}d"
    subprocess.run(["ip", "link", "add", name, "type", "veth", "peer", "name", name + "p"], check=True)
    try:
        made = it.bundle()
        made.config["ociVersion"] = "1.3.0"
        made.linux["netDevices"] = {name: {"name": "moved0"}}
        result = it.run(made.shell("ip link show moved0"))
        if it.rt.name != "langsbx" and result.code != 0:
            from harness.case import Skip
            raise Skip(f"{it.rt.name} has no netDevices")
        contains(result.ok().out, "moved0")
    finally:
        subprocess.run(["ip", "link", "del", name], check=False, capture_output=True)


def test_cgroup_namespace_root(it):
    made = it.bundle().namespace("cgroup")
    for row in it.sh("cat /proc/self/cgroup", made).splitlines():
        # Hierarchies that no cgroup of ours exists in keep their place.
        if any(name in row for name in ("pids", "memory", "::")):
            expect(row.endswith(":/"), row)
