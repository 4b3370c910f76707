"""Words and shapes that runc's callers, and its own suite, look for."""
import json
import os

from harness import host
from harness.case import contains, each, equal, expect, only

WORDS = {
    "run": ("nsexec container setup", "child process in init()", "init: closing the pipe to signal completion"),
    "exec": ("nsexec container setup", "child process in init()", "setns_init: about to exec"),
}


@only("langsbx", "runc")
@each(text=[], json=["--log-format", "json"])
def test_debug_names_the_stages(it, format):
    """--debug tells a container's stages in runc's words, of each command its own."""
    it.started(it.bundle("sleep", "100"))
    for command, words in WORDS.items():
        log = f"{it.folder}/{command}.log"
        it.rt.globals = ["--log", log, "--debug", *format]
        if command == "run":
            it.run(it.bundle("true"), suffix="run").ok()
        else:
            it.rt("exec", it.id(), "true").ok()
        with open(log, encoding="utf-8") as handle:
            text = handle.read()
        for word in words:
            contains(text, word)
        if format:
            expect(all(json.loads(line)["level"] == "debug" for line in text.splitlines()), text)


@only("langsbx")
def test_debug_names_the_affinity(it):
    it.started(it.bundle("sleep", "100"))
    process = f"{it.folder}/process.json"
    with open(process, "w", encoding="utf-8") as handle:
        json.dump({"args": ["/bin/true"], "cwd": "/", "execCPUAffinity": {"initial": "0"}}, handle)
    it.rt.globals = ["--debug"]
    contains(it.rt("exec", "--process", process, it.id()).ok().err, "nsexec: affinity: 0x1")


@only("langsbx")
@each(none=([], 0), log=(["LOG"], 2), ignored=(["TSYNC"], 0), both=(["LOG", "SPEC_ALLOW"], 6), unsaid=(None, 4))
def test_debug_names_the_flags_of_the_filter(it, value):
    """As the number that the kernel gets."""
    flags, number = value
    made = it.bundle("true")
    made.config["linux"]["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["mkdir"], "action": "SCMP_ACT_ERRNO"}]}
    if flags is not None:
        made.config["linux"]["seccomp"]["flags"] = [f"SECCOMP_FILTER_FLAG_{flag}" for flag in flags]
    it.rt.globals = ["--debug"]
    contains(it.run(made).ok().err, f'"seccomp filter flags: {number}"')


@only("langsbx", "runc")
def test_help_names_the_runtime(it):
    for words in ("-h", "--help"):
        lines = it.rt(words).ok().out.splitlines()
        equal(lines[0], "NAME:")
        contains(lines[1], " - Open Container Initiative runtime")


def headings(text):
    return [line for line in text.splitlines() if line.endswith(":") and line.isupper()]


@only("langsbx", "runc")
def test_help_has_the_same_headings(it):
    """In runc's order; what it has no options for, has none of ours in between."""
    equal(headings(it.rt("--help").ok().out), ["NAME:", "USAGE:", "VERSION:", "COMMANDS:", "GLOBAL OPTIONS:"])
    wanted = {"DESCRIPTION:": ("create", "run", "spec", "events", "start", "state", "pause", "resume"), "EXAMPLE:": ("delete", "exec", "kill", "spec")}
    for heading, commands in wanted.items():
        for command in commands:
            found = headings(it.rt(command, "--help").ok().out)
            equal(found[:2], ["NAME:", "USAGE:"])
            expect(heading in found[2:], f"{command}: {found}")


@only("langsbx")
def test_list_of_a_root_that_is_not_there(it):
    it.rt("list").fails(it.rt.root, "no such file or directory")
    link = f"{it.folder}/crun"
    os.symlink(os.path.abspath(it.rt.path), link)
    it.rt.path = link
    it.rt("list").ok()


@only("langsbx", "runc")
def test_id_with_a_dot_in_front(it):
    made = it.bundle("true").write()
    it.rt("run", "--bundle", made.path, ".hidden").ok()
    it.rt("create", "--bundle", made.path, ".seen").ok()
    contains(it.rt("list", "-q").ok().out.split(), ".seen")
    it.rt("delete", "--force", ".seen").ok()


@only("langsbx")
def test_id_of_our_own_folder(it):
    made = it.bundle("true").write()
    it.rt("run", "--bundle", made.path, ".cache").fails("invalid container ID")


@only("langsbx")
def test_parent_as_sub_cgroup(it):
    it.started(it.bundle("sleep", "100"))
    said = it.rt("exec", "--cgroup", "..", it.id(), "true").fails("bad sub cgroup path", " .. is not a sub cgroup path")
    equal(said.code, 255)
    for path in ("missing", "pids:missing") if host.cgroup_mode() != "v2" else ("missing",):
        it.rt("exec", "--cgroup", path, it.id(), "true").fails(" adding pid ", "/missing/cgroup.procs: no such file or directory")


@only("langsbx")
def test_no_seccomp_agent(it):
    made = it.bundle("true")
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "listenerPath": f"{it.folder}/nobody",
                             "syscalls": [{"names": ["mkdir"], "action": "SCMP_ACT_NOTIFY"}]}
    it.run(made).fails("failed to connect with seccomp agent", f"{it.folder}/nobody", "no such file or directory")


@only("langsbx")
@each(absolute=("/tmp", "--parent-path must be relative"), missing=("../nobody", "invalid --parent-path: ", "no such file"),
      a_file=("../file", "invalid --parent-path: ", "not a directory"), folder=("../folder", "can't be checkpointed"))
def test_parent_of_a_checkpoint(it, row):
    os.makedirs(f"{it.folder}/image")
    os.makedirs(f"{it.folder}/folder")
    with open(f"{it.folder}/file", "w", encoding="ascii"):
        pass
    box = it.started(it.bundle("sleep", "100"))
    it.rt("checkpoint", "--parent-path", row[0], "--image-path", f"{it.folder}/image", box).fails(*row[1:])


@only("langsbx")
@each(notify="SCMP_ACT_NOTIFY", refuse="SCMP_ACT_ERRNO")
def test_no_agent_is_asked_for_write(it, action):
    """Called runc; under its own name that works (sockets)."""
    made = it.bundle("true")
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "listenerPath": f"{it.folder}/nobody",
                             "syscalls": [{"names": ["mkdir", "write"], "action": action}]}
    link = f"{it.folder}/runc"
    os.symlink(os.path.abspath(it.rt.path), link)
    it.rt.path = link
    result = it.run(made)
    equal("SCMP_ACT_NOTIFY cannot be used for the write syscall" in result.text, action == "SCMP_ACT_NOTIFY", result.text)
    equal(result.code == 0, action != "SCMP_ACT_NOTIFY", result.text)


@only("langsbx")
@each(signal=("kill -SYS $$", "signal: bad system call"), status=("exit 3", "exit status 3"))
def test_a_hook_that_fails(it, row):
    made = it.bundle("true").hook("createRuntime", "/bin/sh", ["sh", "-c", row[0]])
    it.run(made).fails("error running createRuntime hook #0: error running hook: " + row[1])


@only("langsbx")
def test_deadline_beside_a_cpuset(it):
    made = it.bundle("true")
    made.resources["cpu"] = {"cpus": "0"}
    made.process["scheduler"] = {"policy": "SCHED_DEADLINE", "runtime": 42000, "deadline": 1000000, "period": 1000000}
    it.run(made).fails("process scheduler can't be used together with AllowedCPUs", "linux.resources.cpu.cpus")


@only("langsbx")
@each(nothing=({}, "invalid memory policy mode"), mode=({"nodes": "0-7"}, "invalid memory policy mode"),
      nodes=({"mode": "MPOL_DEFAULT", "nodes": "0-7"}, "mode requires 0 nodes but got 8"))
def test_memory_policy(it, row):
    made = it.bundle("true")
    made.linux["memoryPolicy"] = row[0]
    it.run(made).fails("linux.memoryPolicy", row[1])


@only("langsbx")
def test_pids_limit_of_zero(it):
    """One process, as with systemd's driver and runc since 1.4."""
    made = it.bundle("sleep", "100")
    made.resources["pids"] = {"limit": 0}
    it.started(made)
    with open(f"{it.cgroup_dir('pids', made)}/pids.max", encoding="ascii") as handle:
        equal(handle.read(), "1\n")
    it.rt("update", "--pids-limit", "33", it.id()).ok()
    it.rt("update", "--pids-limit", "0", it.id()).ok()
    with open(f"{it.cgroup_dir('pids', made)}/pids.max", encoding="ascii") as handle:
        equal(handle.read(), "1\n")


@only("langsbx", "runc")
def test_names_in_another_letter_case(it):
    """As Go reads JSON: runc's own suite updates with "CPU"."""
    made = it.bundle("sleep", "100")
    it.started(made)
    it.rt("update", "--resources", "-", it.id(), stdin=json.dumps({"PIDS": {"Limit": 44}})).ok()
    with open(f"{it.cgroup_dir('pids', made)}/pids.max", encoding="ascii") as handle:
        equal(handle.read(), "44\n")


@only("langsbx", "runc")
def test_what_is_no_text(it):
    """U+FFFD stands for each byte that is no UTF-8, and for half of a surrogate pair."""
    made = it.bundle("sh", "-c", "printf %s \"$BAD\"")
    made.process["env"].append("BAD=HERE")
    made.write()
    config = f"{made.path}/config.json"
    with open(config, "rb") as handle:
        text = handle.read()
    with open(config, "wb") as handle:
        handle.write(text.replace(b"BAD=HERE", b"BAD=\xff\\ud800z"))
    equal(it.rt("run", "--bundle", made.path, it.id()).ok().out, "\ufffd\ufffdz")


@only("langsbx", "runc")
def test_device_access_with_another_letter(it):
    """runc's own suite denies "rwa"."""
    made = it.bundle("true")
    made.resources["devices"] = [{"allow": False, "access": "rwm"},
                                 {"allow": False, "type": "c", "major": 1, "minor": 11, "access": "rwa"}]
    it.run(made).ok()


@only("langsbx")
@each(write=("w", "No such device"), another_letter=("wa", "Operation not permitted"))
def test_a_refusal_with_another_letter_refuses_all(it, row):
    """What was meant is not known: nothing may stay open. The node belongs to no driver, which is told where the cgroup lets it be opened."""
    access, said = row
    made = it.bundle("sh", "-c", "cat /node")
    os.mknod(f"{made.rootfs}/node", 0o20666, os.makedev(10, 250))
    made.resources["devices"] = [{"allow": True, "access": "rwm"},
                                 {"allow": False, "type": "c", "major": 10, "minor": 250, "access": access}]
    contains(it.run(made).fails().err, said)


@only("langsbx", "runc")
def test_execve_error_stands_alone(it):
    """On stderr one line and no more, as runc's init writes it. A log file has the reason, too."""
    if it.rt.name == "langsbx":
        link = f"{it.folder}/runc"
        os.symlink(os.path.abspath(it.rt.path), link)
        it.rt.path = link
    made = it.bundle("/run.sh").file("/run.sh", "#!/no/such/interpreter\n", 0o755).write()
    said = it.rt("run", "--bundle", made.path, it.id())
    expect(said.code != 0, "it ran")
    equal(said.err, "exec /run.sh: no such file or directory\n")
    log = f"{it.folder}/log"
    it.rt.globals = ["--log", log, "--log-format", "json"]
    equal(it.rt("run", "--bundle", made.path, it.id("more")).err, "exec /run.sh: no such file or directory\n")
    with open(log, encoding="utf-8") as handle:
        text = handle.read()
    if it.rt.name == "langsbx":
        contains(json.loads(text)["msg"], "exec /run.sh: no such file or directory\nits interpreter /no/such/interpreter")
