"""One system call fails, in each run another: the command says so and leaves nothing behind, or everything is in force all the same."""
import json
import os
import re
import shutil

from harness import breakout, faults, leaks
from harness.case import Failure, contains, each, equal, expect, needs, only, slow
from suites.guard_limits import guarded, profile

# What a program can see of its confinement: a start that succeeds although a call failed shows all of it.
FACTS = r"""
sed -E 's/^[0-9]+ [0-9]+ [0-9]+:[0-9]+ //; s/(shared|master):[0-9]+//g' /proc/self/mountinfo | sort
grep -E '^(Cap|NoNew|Seccomp|Uid|Gid|Groups|Sig[BI]|Umask)' /proc/self/status
cat /proc/self/limits /proc/self/oom_score_adj /proc/sys/net/ipv4/ip_forward
for n in pid uts ipc mnt net; do [ "$(readlink /proc/self/ns/$n)" = "$(cat /etc/ns-$n)" ] && echo "the host's $n"; done
hostname; pwd; env | sort; ls /proc/self/fd
cat /sys/fs/cgroup/*/memory.limit_in_bytes /sys/fs/cgroup/*/pids.max /sys/fs/cgroup/memory.max /sys/fs/cgroup/pids.max 2>/dev/null
cat /home/secret 2>&1
ls -n /dev | awk '{ print $1, $3, $4, $5, $6 }'
echo ran
"""
SHORT = "grep -E '^(Cap|NoNew|Seccomp|Groups|Sig[BI])' /proc/self/status\nulimit -a\numask\necho ran\n"
OBSERVE = ("name: open\nlanguage: bash\ndescription: Everything passes.\ncapabilities:\n  allow: [threads]\n"
           "seccomp: bash\nnetwork: none\nstages: {guard: observe}\n")
LEAST_HIT = 0.8  # of the calls: fewer mean that the runs differ too much to say anything
# Tried at each of their occurrences; of others the first and the last are.
SECURITY = set("""capset chdir chroot close_range fchdir fchmodat fchown fchownat fsconfig fsmount fsopen landlock_add_rule landlock_create_ruleset
landlock_restrict_self mount mount_setattr move_mount open_tree pivot_root prctl prlimit64 seccomp sethostname setgroups setns setresgid
setresuid setrlimit setsid umount2 unshare write""".split())
MOST_EACH = 8

# A success in spite of the failure: (the call, why it may be). What the program can see of its confinement is compared all the same.
MAY_FAIL = [
    (r"^(getrandom|sysinfo|getrusage|sched_getscheduler|capget|syslog|newfstatat) |^prlimit64 \[0,3,0\] |^ioctl \[\d+,21505,",
     "only asked, by the C library above all: nothing is no answer"),
    (r"^poll \[,1,30000\] ", "the watcher ends the container, whose start has been told by then"),
    (r"^poll \[,\d+,0\] ", "without waiting: whether there is something to do"),
    (r"^readlink .*\((/proc/self/exe|/etc/localtime|/lib32)", "where something is that need not be there"),
    (r"^rt_sigaction \[(2|15|17),", "as our own processes were left by their caller"),
    (r"^(access|openat|getdents64) .*\((fd:)?(/etc/ld.so|/lib|/usr|/dev/shm|/proc/kcore|/sys/fs/cgroup/\S*(memory|pids)|.*langsbx-execute)",
     "looks for something that need not be there"),
    (r"^access .*/(go\.mod|setup\.py|package\.json|Cargo\.toml|pom\.xml|build\.gradle|tsconfig\.json|\.git|\S+\.toml|\S+\.json)\)",
     "whether a folder is a project's: without a mark the program has fewer files"),
    (r"^openat .*\(/sys/fs/cgroup\)", "the way to a cgroup is longer then"),
    (r"^pidfd_open |^kill \d+ of process 0 ", "whether somebody else's run still lives: what it left is left alone then"),
    (r"^(flock|fchmod|mkdir|unlinkat) .*langsbx-execute|^flock .*/state/|^fcntl \[\d+,2,1\] .*langsbx-execute", "of what somebody else's run left, or it is there already"),
    (r"^open_tree .*\(/dev/", "a device node of our own is bound in the host's place"),
    (r"^close_range \[[1-9]\d*,\d+,0\] ", "descriptors of ours, closed one by one instead"),
    (r"^dup2 \[\d+,[012],\d*\] .*\(fd:/dev/null|^openat .*\(/dev/null\)", "the judge's and the watcher's own processes: closed, or done without"),
    (r"^fcntl \[\d+,(1|3),|^fcntl \[\d+,4,2048\] |^getdents64 .*\(fd:(/bin|/proc/)", "a stream gets no Landlock rule of its own, or a helper keeps a descriptor"),
    (r"^landlock_add_rule .*beneath:[012]\)", "the rule of a stream: less is allowed"),
    (r"^(fchdir|fstatfs|mkdirat|mount|move_mount|open_tree|openat|openat2) \d+ of process \d+ \((fd:\S*/|proc|asound|fs|sys|shm|tmpfs)",
     "another way to the same mount is taken"),
    (r"^openat2 .*\((fd:/ /|fd:\S*/rootfs /|\S*/b\d+\))", "another way to the same file is taken"),
    (r"^(read|openat) .*(fscontext|cgroup\.type|freezer\.state|busybox|\.cache|state\.json|main\.sh|prog\.sh|passwd|pipe:)",
     "what the kernel says beside an error, or it need not be known, is read in another way, or made anew"),
    (r"^read .*\(fd:/sys/devices/system/cpu/online\)", "the C library counts processors for its memory: as if there were one"),
    (r"^(read|openat) .*\((fd:)?/proc/\d+/stat\)", "a process that can't be read counts as alive, and is asked for again"),
    (r"^faccessat2 .*(config\.json|start\.sock)|^statfs .*\((/sys/fs/cgroup|/dev/shm)", "asked again in another way"),
    (r"^prctl \[(3|27|36|39),|^prctl \[4,1,", "what is asked of is read again behind; being no reaper only moves orphans; undumpable stays undumpable"),
    (r"^prctl \[24,", "the bounding set is read back, and compared with the plan"),
    (r"^read .*\(fd:(/dev/null|anon_inode)", "stdin that can't be read has ended; what a signal or a clock said is asked for again"),
    (r"^prctl \[(23|47),", "the library asks which capabilities there are; all five sets are read back and compared"),
    (r"^rt_sigtimedwait |^rt_sigprocmask \[0,", "our own process 1 waits again"),
    (r"^write .*(tasks|cgroup\.procs)", "the runtime moves the process in"),
    (r"^write .*verdicts\.jsonl", "not required: it is in guard.jsonl, as not logged"),
    (r"^openat .*(verdicts\.jsonl|/var/log/langsbx)", "not required"),
    (r"^write .*guard\.jsonl.*observe", "observing stops nobody"),
]
# Fails, in words that do not tell the system's reason.
WORDED = [
    (r"^(chdir|faccessat2|newfstatat|openat|openat2|read|write) .*\((|fd:/ ?|.*/prog\.sh.*|.*/bin/sh)\)$", "the guard: it could not list what it would have to pin"),
    (r"^write .*prog\.sh", "the guard's list did not arrive"),
    (r"^write .*watches", "the watcher could not say that it watches"),
    (r"^(connect|socket|faccessat2|poll|openat|read) .*(socket:|call\d+|start\.sock|/stat\)|\(\))", "nobody to be started"),
    (r"^(sendmsg|recvmsg|accept4) ", "who can't say it is found dead"),
    (r"^prctl \[(23|47),", "a set of capabilities is not what was planned: it is named, with what is left over"),
    (r"^access .*/bash", "the compiler or interpreter is not there"),
    (r"^dup2 \S+ \d+ of process 0 \(fd:\S*\.err[ )]", "our own stderr could not be put back: there is nowhere to say it"),
    (r"^wait4 \S+ 1 of process 1 ", "process 1 has ended without its report, which is told as a kill"),
]
# Init was told to go on by then.
TOO_LATE = [(r"^recvmsg ", "the answer to Start is lost: it is said, and the program is ended"),
            (r"^poll \[,7,\] ", "its supervisor ends it, and says why")]
# Another view, which is as good.
CHANGED = [(r"\(/dev/|verdicts\.jsonl|/var/log/langsbx", "the nodes' source; a warning"),
           (r"^poll \[,1,30000\] ", "the watcher has ended the container before it said anything")]


def listed(table, call):
    return any(re.search(pattern, faults.place(call)) for pattern, _ in table)


def rich(it):
    """A container with something of everything that a launch does."""
    made = it.bundle(shell=FACTS)
    made.process["rlimits"] = [{"type": "RLIMIT_NOFILE", "soft": 200, "hard": 200}]
    made.process["user"] = {"uid": 1000, "gid": 1000, "additionalGids": [5]}
    made.process["oomScoreAdj"] = 100
    made.process["noNewPrivileges"] = True
    made.linux["sysctl"] = {"net.ipv4.ip_forward": "1"}
    made.resources.update(pids={"limit": 100}, memory={"limit": 100000000})
    made.mount("/sys/fs/cgroup", "cgroup", "cgroup", "ro", "nosuid", "noexec", "nodev")
    for kind in ("pid", "uts", "ipc", "mnt", "net"):
        made.file(f"/etc/ns-{kind}", os.readlink(f"/proc/self/ns/{kind}"))
    made.file("/home/secret", "secret\n")
    made.config["annotations"] = {"io.langsbx.landlock.read": "/etc,/proc,/usr,/bin,/sys,/dev", "io.langsbx.landlock.write": "/tmp",
                                  "io.langsbx.landlock.execute": "/bin"}
    with open(f"{breakout.PROFILES}/default.json", encoding="utf-8") as handle:
        made.linux["seccomp"] = json.load(handle)
    made.write()
    return made


def sample(calls):
    """All of them when asked; else what matters, and the ends of the rest."""
    if faults.everything():
        return calls
    groups = {}
    for call in calls:
        groups.setdefault((call.process, call.name), []).append(call)
    chosen = []
    for (_, name), group in groups.items():
        most = MOST_EACH if name in SECURITY else 2
        step = max(1, -(-len(group) // most))
        chosen += group if len(group) <= most else group[::step] + group[-1:]
    return chosen


def clear(it):
    """After a fault was noted: the next run starts fairly."""
    it.rt("delete", "--force", it.id())
    if leaks.find(it, 0.5):
        leaks.remove(it)
        shutil.rmtree(f"{it.rt.root}/{it.id()}", ignore_errors=True)


def what_is_wrong(made, good):
    """None, or what an outcome shows that may not be."""
    call, words = made.call, made.text.split()
    if made.crashes:
        return f"crash: {made.crashes}"
    if made.code == 0 and not call.after:
        if not listed(MAY_FAIL, call):
            return "succeeds"
        return None if view(made.text) == view(good) or listed(CHANGED, call) else f"another view: {difference(good, made.text)}"
    if made.code == 0:
        return None
    if "ran" in words and not call.after and not listed(TOO_LATE, call):
        return f"the program ran: {made.text[-200:]!r}"
    if "input/output error" not in made.text.lower() and not call.after and not listed(WORDED, call):
        return f"does not say why: {made.text[-200:]!r}"
    return None


def view(text):
    """Without how long it took, and a limit that follows the processes of a user that others share."""
    return re.sub(r"^(langsbx: completed after|max user processes) .*$", "", text, flags=re.M)


def difference(good, other):
    old, new = good.splitlines(), other.splitlines()
    return f"-{[l for l in old if l not in new]} +{[l for l in new if l not in old]}"[:300]


def try_each(it, argv, before=None, left=None, good=None, **more):
    """Each call of this command fails once. `left` tells what it left behind, `good` what it prints when all is well."""
    kit, wrong, hit = faults.Faults(it), [], 0
    if before:
        before()
    warm = it.rt(argv=argv, **more).ok().text  # caches are filled, parents made
    if before:
        before()
    calls = sample(kit.calls(argv, **more))
    for call in calls:
        if before:
            before()
        try:
            made = kit.fail(argv, call, **more)
        except Failure as fault:
            wrong.append(f"{faults.place(call)}: {fault}"[:200])
            clear(it)
            continue
        if made.call is None:
            continue
        hit += 1
        problem = what_is_wrong(made, warm if good is None else good)
        if left is None and made.code != 0 and made.call.after and leaks.find(it, 0):
            it.rt("delete", "--force", it.id()).ok()  # it said that it could not clean up; whoever retries can
        remains = left() if left else leaks.find(it, 1.0)
        if problem or remains:
            wrong.append(f"{faults.place(made.call)}: exit {made.code}: {problem or ''} {'left: ' + str(remains[:3]) if remains else ''}")
        if remains:
            clear(it)
    expect(hit >= LEAST_HIT * len(calls), f"only {hit} of {len(calls)} calls came up again")
    expect(not wrong, f"{len(wrong)} of {hit}:\n" + "\n".join(wrong))


@only("langsbx")
@needs("root", "landlock:3", "machine:x86_64")
@each(all="all", user_namespace="user", judged="judged")
@slow(600)
def test_run(it, kind):
    made = rich(it)
    if kind == "user_namespace":
        made.user_namespace()
    if kind == "judged":
        made.file("/prog.sh", "ulimit -a; umask; echo ran\n").args("sh", "/prog.sh")
        made.config["annotations"] = {"io.langsbx.guard": "enforce", "io.langsbx.profile": "default"}
    made.write()
    try_each(it, it.rt.argv("run", "--bundle", made.path, it.id()))


@only("langsbx")
@needs("root", "landlock:3", "machine:x86_64")
@each(all=False, judged=True)
@slow(600)
def test_create_and_start(it, judged):
    made = rich(it)
    if judged:
        made.file("/prog.sh", "ulimit -a; umask; echo ran\n").args("sh", "/prog.sh")
        made.config["annotations"] = {"io.langsbx.guard": "enforce", "io.langsbx.profile": "default"}
        made.write()
    call = " ".join(it.rt.argv())
    script = (f"{call} create --bundle {made.path} --pid-file {it.folder}/pid {it.id()} || exit 10\n"
              f"{call} start {it.id()} || {{ {call} delete --force {it.id()}; exit 11; }}\n")
    # Not by `state`: how often that is asked differs from run to run, and each call of it would count.
    status = f"/proc/$(cat {it.folder}/pid)/status"
    end = f"until [ ! -e {status} ] || grep -qs '^State:.*Z' {status}; do sleep 0.01; done\n"
    try_each(it, ["sh", "-c", script + end + f"{call} delete {it.id()} || exit 12\n"])


@only("langsbx")
@needs("root", "landlock:3", "machine:x86_64")
@slow(600)
def test_exec(it):
    made = rich(it)
    made.args("sleep", "1000")
    box = it.started(made)
    pid = it.rt.state(box)["pid"]

    def more_than_init():
        names = []

        def alone():
            with open(f"{it.cgroup_dir('pids', made)}/cgroup.procs", encoding="ascii") as handle:
                names[:] = handle.read().split()
            return names == [str(pid)]
        try:
            it.until("the end of the others", alone, 1)
        except Failure:
            return names
        return []
    try_each(it, it.rt.argv("exec", box, "sh", "-c", FACTS), left=more_than_init)
    equal(it.rt.state(box)["status"], "running")


@only("langsbx")
@needs("root", "landlock:3", "machine:x86_64")
@each(container="container", light="light")
@slow(600)
def test_execute(it, tier):
    for name, text in (("main.sh", SHORT), ("open.yaml", OBSERVE)):
        with open(f"{it.folder}/{name}", "w", encoding="utf-8") as handle:
            handle.write(text)
    try_each(it, it.rt.argv("execute", "--isolation", tier, "--profile", f"{it.folder}/open.yaml", f"{it.folder}/main.sh"))


@only("langsbx")
@needs("root", "machine:x86_64")
@slow(600)
def test_delete(it):
    """It failed and said so, or nothing is left; who asks again succeeds."""
    made = it.bundle("sleep", "1000")
    made.write()
    kit, wrong = faults.Faults(it), []
    argv = it.rt.argv("delete", "--force", it.id())
    it.started(made)
    for call in sample(kit.calls(argv)):
        it.started(made)
        outcome = kit.fail(argv, call)
        if outcome.crashes or (outcome.code != 0 and not outcome.text.strip()):
            wrong.append(f"{faults.place(call)}: exit {outcome.code}: {outcome.crashes}")
        if outcome.code != 0:
            it.rt(*argv[len(it.rt.argv()):]).ok()
        remains = leaks.find(it, 1.0)
        if remains:
            wrong.append(f"{faults.place(call)}: exit {outcome.code}: left: {remains[:3]}")
            clear(it)
    expect(not wrong, "\n".join(wrong))


@only("langsbx")
@needs("root", "machine:x86_64")
@each(session="setsid", descriptors="close_range")
@slow(120)
def test_a_time_limit_that_nobody_watches(it, name):
    """The watcher can't leave the caller's session, or can't let go of what it holds: no program runs without its limit."""
    profile("{wall_time: 100s}")
    argv = it.rt.argv("run", "--bundle", guarded(it.bundle("sh", "-c", "sleep 8; echo ran")).write().path, it.id())
    kit = faults.Faults(it)
    all_calls = kit.calls(argv)
    # Init makes a session, too, and becomes the program.
    watcher = {call.process for call in all_calls if call.name == "setsid"} - {call.process for call in all_calls if call.name == "execve"}
    calls = [call for call in all_calls if call.process in watcher and call.name == name]
    expect(calls, f"no {name} of a watcher")
    for call in calls:
        made = kit.fail(argv, call)
        expect(made.code != 0 and "ran" not in made.text.split(), f"{faults.place(call)}: exit {made.code}: {made.text}")
        contains(made.text, "time limits: ")
        contains(made.text.lower(), "input/output error")
        expect(not leaks.find(it, 1.0), faults.place(call))
