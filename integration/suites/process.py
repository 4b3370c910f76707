"""process: ids, environment, capabilities, limits, scheduling, cwd, umask."""
import os
import signal

from harness.case import Skip, contains, each, equal, expect, needs, only


def status(it, made, key):
    return [l.split(":", 1)[1].strip() for l in it.sh("cat /proc/self/status", made).splitlines()
            if l.startswith(key + ":")][0]


@each(user=(1000, 1000), odd=(4242, 77), highest=(2147483646, 2147483646))
def test_user(it, ids):
    made = it.bundle()
    made.process["user"] = {"uid": ids[0], "gid": ids[1]}
    equal(it.sh("id -u; id -g", made).split(), [str(ids[0]), str(ids[1])])


def test_additional_gids(it):
    made = it.bundle()
    made.process["user"]["additionalGids"] = [5, 77, 1234]
    expect({"5", "77", "1234"} <= set(it.sh("id -G", made).split()), "groups")


def test_no_groups_of_the_caller(it):
    equal(it.sh("id -G"), "0")


def test_umask(it):
    made = it.bundle()
    made.process["user"]["umask"] = 0o27
    equal(it.sh("umask", made), "0027")


def test_umask_default(it):
    equal(it.sh("umask"), "0022")


def ignore_signals():
    for one in (signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE, signal.SIGRTMIN + 3):
        signal.signal(one, signal.SIG_IGN)


@only("langsbx", "crun")
def test_what_the_caller_ignores_is_not_ignored_inside(it):
    out = f"{it.folder}/hook"
    with open(f"{it.folder}/say", "w", encoding="ascii") as handle:
        handle.write(f"#!/bin/sh\ncat > /dev/null\ngrep SigIgn /proc/self/status > {out}\n")
    os.chmod(f"{it.folder}/say", 0o755)
    made = it.bundle(shell="grep SigIgn /proc/self/status; sleep 60")
    made.hook("createContainer", f"{it.folder}/say")
    asked = {"preexec_fn": ignore_signals, "restore_signals": False}
    with open(f"{it.folder}/log", "w+", encoding="ascii") as log:
        it.spawn("run", "--bundle", made.write().path, it.id(), stdout=log, **asked)
        it.until("the program", lambda: "SigIgn" in open(log.name, encoding="ascii").read())
        joined = it.rt("exec", it.id(), "grep", "SigIgn", "/proc/self/status", **asked).ok().out
        for text in (open(log.name, encoding="ascii").read(), joined):
            equal(text.split(), ["SigIgn:", "0" * 16])
    if it.rt.name == "langsbx":
        equal(open(out, encoding="ascii").read().split(), ["SigIgn:", "0" * 16])


def test_cwd(it):
    made = it.bundle()
    made.process["cwd"] = "/tmp"
    equal(it.sh("pwd", made), "/tmp")


def test_cwd_is_made(it):
    made = it.bundle()
    made.process["cwd"] = "/not/yet/there"
    equal(it.sh("pwd", made), "/not/yet/there")


def test_cwd_relative_refused(it):
    made = it.bundle("true")
    made.process["cwd"] = "tmp"
    it.run(made).fails("cwd")


def test_environment_is_exact(it):
    made = it.bundle("env")
    made.process["env"] = ["PATH=/bin", "HOME=/x", "A=b=c", "EMPTY="]
    equal(sorted(it.run(made, env={"LEAK": "1", "PATH": os.environ["PATH"]}).ok().out.split()),
          ["A=b=c", "EMPTY=", "HOME=/x", "PATH=/bin"])


def test_home_default(it):
    made = it.bundle("env")
    made.process["env"] = ["PATH=/bin"]
    contains(it.run(made).ok().out, "HOME=/root")


def test_no_args(it):
    made = it.bundle("true")
    made.process["args"] = []
    it.run(made).fails("args")


def test_path_lookup(it):
    made = it.bundle("prog").file("/opt/bin/prog", "#!/bin/sh\necho found\n", 0o755)
    made.process["env"] = ["PATH=/nothing:/opt/bin:/bin"]
    equal(it.run(made).ok().out, "found\n")


def test_default_capabilities(it):
    equal(status(it, it.bundle(), "CapEff"), cap_mask(it))


def cap_mask(it):
    """The mask of the bundle's own list, from the numbers of the kernel."""
    numbers = {"CAP_CHOWN": 0, "CAP_DAC_OVERRIDE": 1, "CAP_FOWNER": 3, "CAP_FSETID": 4, "CAP_KILL": 5, "CAP_SETGID": 6,
               "CAP_SETUID": 7, "CAP_SETPCAP": 8, "CAP_NET_BIND_SERVICE": 10, "CAP_SYS_CHROOT": 18, "CAP_MKNOD": 27,
               "CAP_AUDIT_WRITE": 29, "CAP_SETFCAP": 31}
    mask = sum(1 << numbers[n] for n in it.bundle().process["capabilities"]["effective"])
    return f"{mask:016x}"


@each(bounding="CapBnd", effective="CapEff", permitted="CapPrm")
def test_one_capability(it, key):
    equal(status(it, it.bundle().caps("CAP_NET_ADMIN"), key), "0000000000001000")


@each(bounding="CapBnd", effective="CapEff", permitted="CapPrm", inheritable="CapInh", ambient="CapAmb")
def test_no_capabilities(it, key):
    equal(status(it, it.bundle().caps(), key), "0000000000000000")


def test_capabilities_absent_is_none(it):
    made = it.bundle()
    del made.process["capabilities"]
    equal(status(it, made, "CapEff"), "0000000000000000")


def test_user_keeps_no_capability(it):
    made = it.bundle()
    made.process["user"] = {"uid": 1000, "gid": 1000}
    equal(status(it, made, "CapAmb"), "0000000000000000")


def test_ambient(it):
    made = it.bundle().caps("CAP_NET_BIND_SERVICE")
    sets = made.process["capabilities"]
    sets["inheritable"] = sets["ambient"] = ["CAP_NET_BIND_SERVICE"]
    made.process["user"] = {"uid": 1000, "gid": 1000}
    equal(status(it, made, "CapEff"), "0000000000000400")


def test_no_new_privileges(it):
    made = it.bundle()
    made.process["noNewPrivileges"] = True
    equal(status(it, made, "NoNewPrivs"), "1")
    equal(status(it, it.bundle(), "NoNewPrivs"), "0")


@each(nofile=("NOFILE", "n", 1000), core=("CORE", "c", 0), stack=("STACK", "s", 1048576), cpu=("CPU", "t", 100))
def test_rlimit(it, value):
    name, flag, limit = value
    made = it.bundle()
    made.process["rlimits"] = [{"type": "RLIMIT_" + name, "hard": limit, "soft": limit}]
    scale = {"s": 1024, "c": 512}.get(flag, 1)
    equal(it.sh(f"ulimit -H{flag}", made), str(limit // scale))


@needs("resource")
def test_rlimit_raised(it):
    made = it.bundle()
    made.process["rlimits"] = [{"type": "RLIMIT_NOFILE", "hard": 900000, "soft": 900000}]
    equal(it.sh("ulimit -Hn", made), "900000")


def test_rlimit_twice(it):
    made = it.bundle("true")
    made.process["rlimits"] = [{"type": "RLIMIT_NOFILE", "hard": 10, "soft": 10}] * 2
    it.run(made).fails("RLIMIT_NOFILE")


def test_rlimit_unknown(it):
    made = it.bundle("true")
    made.process["rlimits"] = [{"type": "RLIMIT_NOSUCH", "hard": 10, "soft": 10}]
    it.run(made).fails("RLIMIT_NOSUCH")


@each(raised=500, zero=0)
def test_oom_score(it, score):
    made = it.bundle()
    made.process["oomScoreAdj"] = score
    equal(it.sh("cat /proc/self/oom_score_adj", made), str(score))


@needs("resource")
def test_oom_score_lowered(it):
    made = it.bundle()
    made.process["oomScoreAdj"] = -500
    equal(it.sh("cat /proc/self/oom_score_adj", made), "-500")


def test_scheduler(it):
    made = it.bundle()
    made.process["scheduler"] = {"policy": "SCHED_BATCH", "nice": 5}
    fields = it.sh("cat /proc/self/stat", made).rsplit(")", 1)[1].split()
    equal((fields[16], fields[38]), ("5", "3"), "nice and policy")


def test_io_priority(it):
    made = it.bundle()
    made.process["ioPriority"] = {"class": "IOPRIO_CLASS_BE", "priority": 6}
    contains(it.sh("ionice -p 1", made), "best-effort: prio 6")


def test_personality(it):
    made = it.bundle()
    made.linux["personality"] = {"domain": "LINUX32"}
    equal(it.sh("uname -m", made), "i686")


@needs("cpus:2")
def test_affinity_is_not_inherited(it):
    made = it.bundle("grep", "Cpus_allowed_list", "/proc/self/status").write()
    words = ["taskset", "-c", "0", *it.rt.argv("run", "--bundle", made.path, it.id())]
    out = it.rt(argv=words).ok().out
    expect(out.split()[1] != "0", f"the caller's affinity stayed: {out}")


@only("langsbx")
def test_realtime_is_not_inherited(it):
    """A container asks for it by process.scheduler; cgroups without realtime time of their own would refuse it."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(3))
    except PermissionError:
        raise Skip("no right to realtime scheduling") from None
    box = it.started()
    equal(os.sched_getscheduler(it.rt.state(box)["pid"]), os.SCHED_OTHER)
    # Of stat's fields behind the name, the policy is the 39th.
    out = it.rt("exec", box, "cat", "/proc/self/stat").ok().out
    equal(out.rpartition(")")[2].split()[38], "0")
    with open(f"{it.folder}/answer.py", "w", encoding="ascii") as handle:
        handle.write("print(42)\n")
    for tier in ("container", "light"):
        equal(it.rt("execute", "--isolation", tier, f"{it.folder}/answer.py").ok().out, "42\n")



def test_seccomp_errno(it):
    made = it.bundle()
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "architectures": ["SCMP_ARCH_X86_64"],
                             "syscalls": [{"names": ["mkdir", "mkdirat"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38}]}
    contains(it.sh("mkdir /q 2>&1; grep Seccomp: /proc/self/status", made), "not implemented")


def test_seccomp_kill(it):
    made = it.bundle("mkdir", "/q")
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "architectures": ["SCMP_ARCH_X86_64"],
                             "syscalls": [{"names": ["mkdir"], "action": "SCMP_ACT_KILL_PROCESS"}]}
    equal(it.run(made).code, 128 + 31)


def test_seccomp_argument(it):
    made = it.bundle()
    rule = {"names": ["kill"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1,
            "args": [{"index": 1, "value": 10, "op": "SCMP_CMP_EQ"}]}
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "architectures": ["SCMP_ARCH_X86_64"], "syscalls": [rule]}
    contains(it.sh("sleep 9 & kill -10 $! 2>&1; kill -9 $! && echo second", made), "second")


def test_seccomp_without_names(it):
    """A rule that names no call does nothing, and the others hold."""
    made = it.bundle()
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "architectures": ["SCMP_ARCH_X86_64"],
                             "syscalls": [{"names": [], "action": "SCMP_ACT_ERRNO"},
                                          {"names": ["mkdir", "mkdirat"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38}]}
    contains(it.sh("mkdir /q 2>&1; true", made), "not implemented")


@each(x32_first=["SCMP_ARCH_X32", "SCMP_ARCH_X86_64"], foreign=["SCMP_ARCH_AARCH64"], none_native=["SCMP_ARCH_X86"])
def test_seccomp_architectures_in_any_order(it, architectures):
    """Refusals by argument hold, and the program lives, whatever the list of architectures is."""
    made = it.bundle()
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "architectures": architectures,
                             "syscalls": [{"names": ["kill"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38,
                                           "args": [{"index": 1, "value": 10, "op": "SCMP_CMP_EQ"}]}]}
    out = it.sh("sleep 9 & kill -10 $! 2>&1; kill -9 $! && echo second", made)
    contains(out, "not implemented")
    contains(out, "second")


def test_seccomp_unknown_action(it):
    made = it.bundle("true")
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_DANCE"}
    it.run(made).fails("SCMP_ACT_DANCE")


def test_seccomp_applies_to_exec(it):
    made = it.bundle("sleep", "1000")
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "architectures": ["SCMP_ARCH_X86_64"],
                             "syscalls": [{"names": ["mkdir", "mkdirat"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38}]}
    it.rt("exec", it.started(made), "mkdir", "/q").fails("not implemented")


def test_cwd_is_made_on_a_read_only_root(it):
    made = it.bundle()
    made.process["cwd"] = "/not/yet"
    made.config["root"]["readonly"] = True
    equal(it.sh("pwd", made), "/not/yet")


@each(stdin=(0,), stdout=(1,), stderr=(2,), all=(0, 1, 2))
def test_closed_streams(it, closed):
    """A caller without stdin must not hand one of the runtime's own descriptors to the program."""
    made = it.bundle("sh", "-c", "for n in " + " ".join(map(str, closed)) + "; do [ -c /proc/self/fd/$n ] || exit 9; done; exit 7")
    made.write()
    shut = " ".join(f"{n}>&-" for n in closed)
    words = ["sh", "-c", f'exec "$@" {shut}', "sh", *it.rt.argv("run", "--bundle", made.path, it.id())]
    equal(it.rt(argv=words).code, 7, "exit status")


@only("langsbx")
@needs("cpus:2")
def test_exec_cpu_affinity(it):
    """exec alone: `initial` until the program starts, `final` from then on."""
    made = it.bundle("sleep", "1000")
    made.process["execCPUAffinity"] = {"initial": "0", "final": "1"}
    box = it.started(made)
    look = ("grep", "Cpus_allowed_list", "/proc/self/status")
    equal(it.rt("exec", box, *look).ok().out.split()[1], "1")
    with open(f"/proc/{it.rt.state(box)['pid']}/status", encoding="ascii") as handle:
        expect("Cpus_allowed_list:\t1\n" not in handle.read(), "init got exec's CPUs")
    made = it.bundle("sleep", "1000")
    made.process["execCPUAffinity"] = {"initial": "one"}
    it.create(made, suffix="bad").fails("process.execCPUAffinity.initial")


@only("langsbx")
def test_memory_policy(it):
    made = it.bundle()
    made.linux["memoryPolicy"] = {"mode": "MPOL_BIND", "nodes": "0", "flags": ["MPOL_F_STATIC_NODES"]}
    if not os.path.exists("/proc/self/numa_maps"):
        it.create(made.shell("true")).fails("linux.memoryPolicy")
        return
    contains(it.sh("head -n 1 /proc/self/numa_maps", made), "bind=static:0")
    made.linux["memoryPolicy"] = {"mode": "MPOL_NEAR", "nodes": "0"}
    it.create(made, suffix="mode").fails("linux.memoryPolicy.mode", "MPOL_NEAR")
    made.linux["memoryPolicy"] = {"mode": "MPOL_BIND", "nodes": "0-"}
    it.create(made, suffix="nodes").fails("linux.memoryPolicy.nodes")


@only("langsbx")
def test_intel_rdt_without_resctrl_is_refused(it):
    if os.path.exists("/sys/fs/resctrl/schemata"):
        raise Skip("resctrl is mounted here")
    made = it.bundle("true")
    made.linux["intelRdt"] = {"closID": "langsbx-it", "l3CacheSchema": "L3:0=f"}
    it.create(made).fails("linux.intelRdt")
