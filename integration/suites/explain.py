"""Why was it denied? The same answers for root and for a plain user, in each tier; where there can be none, it is said."""
import json
import os
import subprocess

from harness.case import contains, each, equal, expect, needs, only

from .rootless import USER, Rootless

LANGSBX = only("langsbx")
TIGHT = {
    "io.langsbx.landlock.read": "/etc,/proc,/usr,/bin",
    "io.langsbx.landlock.write": "/tmp",
    "io.langsbx.landlock.execute": "/bin",
}
NO_HOSTNAME = {"defaultAction": "SCMP_ACT_ALLOW",
               "syscalls": [{"names": ["sethostname"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1}]}
REFUSED = "echo x > /home/file; hostname evil; cat /etc/passwd > /dev/null; exit 3"


def as_user(it):
    user = Rootless(it)
    user.bundle.config["annotations"] = dict(TIGHT)
    user.bundle.process["noNewPrivileges"] = True
    user.bundle.linux["seccomp"] = NO_HOSTNAME
    return user


def expect_both(text):
    contains(text, "openat /home/file: permission denied (refused by landlock program, make_reg)")
    contains(text, "sethostname: operation not permitted (refused by seccomp linux.seccomp)")
    expect("/etc/passwd" not in text, "something allowed is listed")


@LANGSBX
@needs("landlock:3")
def test_run_as_a_user(it):
    user = as_user(it)
    user.bundle.shell(REFUSED)
    events = f"{user.runtime_dir}/events"
    result = user("run", "--explain", "--explain-file", events, "--bundle", user.bundle.path, it.id())
    equal(result.code, 3)
    expect_both(result.err)
    with open(events, encoding="ascii") as handle:
        lines = [json.loads(line) for line in handle]
    equal([l["layer"] for l in lines if l["syscall"] == "sethostname"], ["seccomp linux.seccomp"])


@LANGSBX
@needs("landlock:3")
def test_exec_as_a_user(it):
    user = as_user(it)
    user.bundle.args("sleep", "1000")
    user("run", "--detach", "--bundle", user.bundle.path, it.id()).ok()
    result = user("exec", "--explain", it.id(), "sh", "-c", REFUSED)
    equal(result.code, 3)
    expect_both(result.err)
    contains(user("exec", "--explain", it.id(), "true").ok().err, "refused: nothing")
    # Without the wish nobody watches, and a failure to start is still told.
    expect("refused" not in user("exec", it.id(), "true").ok().err, "a list that nobody asked for")
    user("exec", "--explain", it.id(), "/bin/none").fails("no such file")
    user("delete", "--force", it.id()).ok()


@LANGSBX
@needs("landlock:3")
def test_annotation_as_a_user(it):
    user = as_user(it)
    user.bundle.config["annotations"]["io.langsbx.explain"] = "true"
    user.bundle.shell("echo x > /home/file; sleep 1000")
    user("create", "--bundle", user.bundle.path, it.id()).ok()
    user("start", it.id()).ok()
    it.until("the refusal", lambda: "openat /home/file" in user("inspect", it.id()).ok().out)
    user("delete", "--force", it.id()).ok()


@LANGSBX
@needs("landlock:3")
def test_job_control_goes_on(it):
    """A watched program can be stopped and continued, and it sees its children's ends."""
    made = it.bundle(shell="sh -c 'kill -STOP $$; echo went on' & sleep 0.3; kill -CONT $!; wait $!; echo $?")
    result = it.run(made, "--explain").ok()
    equal(result.out, "went on\n0\n")


@LANGSBX
@needs("landlock:3")
def test_the_capability_and_the_place_are_named(it):
    made = it.bundle(shell="hostname evil; mount -t tmpfs none /mnt; mknod /tmp/null c 1 3; dmesg; echo x > /sys/file").caps("CAP_MKNOD")
    made.config["annotations"] = {"io.langsbx.landlock": "required"}
    text = it.run(made, "--explain").err
    contains(text, "sethostname: operation not permitted (refused by kernel, CAP_SYS_ADMIN is missing)")
    contains(text, "mount /mnt: operation not permitted (refused by landlock container")
    contains(text, "mknodat /tmp/null: permission denied (refused by landlock container, make_char)")
    contains(text, "(refused by kernel, CAP_SYSLOG is missing)")
    contains(text, "openat /sys/file: read-only file system (refused by kernel: the mount is read-only)")


PROGRAM = "import sys\ntry:\n    open(sys.argv[1], 'w')\nexcept OSError:\n    print('refused')\n"


@LANGSBX
@needs("landlock:6", "program:python3", "path:/usr/bin/python3", "program:setpriv")
@each(container_root=("container", 0), container_user=("container", USER), light_root=("light", 0), light_user=("light", USER))
def test_execute(it, variant):
    tier, uid = variant
    source = f"{it.folder}/main.py"
    with open(source, "w", encoding="ascii") as handle:
        handle.write(PROGRAM)
    os.chmod(source, 0o644)
    home = f"{it.folder}/home"
    os.mkdir(home, 0o700)
    subprocess.run(["chown", f"{uid}:{uid}", home], check=True)
    words = it.rt.argv("execute", "--explain", "--json", "--isolation", tier, source, "--", "/usr/lib/x")
    words[1:3] = ["--root", f"{home}/state"]
    prefix = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--inh-caps=-all"] if uid else []
    argv = [*prefix, "env", "-i", "PATH=/usr/bin:/bin", f"XDG_RUNTIME_DIR={home}", f"HOME={home}", *words]
    record = json.loads(it.rt(argv=argv, cwd="/", timeout=60).ok().out)
    equal(record["isolation"]["tier"] if isinstance(record["isolation"], dict) else record["isolation"], tier)
    equal(record["stdout"], "refused\n")
    found = [d for d in record["refused"] if d["object"] == "/usr/lib/x"]
    expect(found and found[0]["syscall"] == "openat", record["refused"])
    expect(tier == "container" or found[0]["layer"] == "landlock program", found)


@LANGSBX
def test_another_runtime_cannot_be_asked(it):
    it.rt("execute", "--explain", "--isolation", "maximum", "/dev/null").fails("--explain")
