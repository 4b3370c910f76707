"""What is in force can be read back, holds for exec, and explains its refusals; a pod's sandbox is only a sandbox."""
import json
import os

from harness import breakout
from harness.case import contains, each, equal, expect, needs, only
from harness.runtime import read

LANGSBX = only("langsbx")
TIGHT = {
    "io.langsbx.landlock.read": "/etc,/proc,/usr,/bin",
    "io.langsbx.landlock.write": "/tmp",
    "io.langsbx.landlock.execute": "/bin",
}


def tight(made, **more):
    made.config["annotations"] = {**TIGHT, **more}
    return made


def inspected(it, box):
    return json.loads(it.rt("inspect", "-f", "json", box).ok().out)


@LANGSBX
@needs("landlock:3")
def test_exec_applies_the_recorded_plan(it):
    """The document that an annotation names is loosened after create: exec keeps what was recorded."""
    document = f"{it.folder}/policy.json"

    def write(folder):
        with open(document, "w", encoding="ascii") as handle:
            json.dump({"ruleset": [{"handledAccessFs": ["write_file", "make_reg"]}],
                       "pathBeneath": [{"allowedAccess": ["write_file", "make_reg"], "parent": [folder]}]}, handle)
    write("/tmp")
    made = it.bundle("sleep", "1000")
    made.config["annotations"] = {"io.langsbx.landlock.config": document}
    box = it.started(made)
    write("/")
    it.rt("exec", box, "sh", "-c", "echo x > /tmp/file").ok()
    it.rt("exec", box, "sh", "-c", "echo x > /home/file").fails("ermission denied")
    expect(not os.path.exists(f"{made.rootfs}/home/file"), "written in spite of the recorded plan")


@LANGSBX
@each(command=False, process_file=True)
def test_exec_applies_the_recorded_seccomp(it, from_file):
    """The bundle loses its profile after create, and exec's own process file can name none: what create recorded holds."""
    made = it.bundle("sleep", "1000")
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW",
                             "syscalls": [{"names": ["sethostname"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1}]}
    made.caps("CAP_SYS_ADMIN")
    box = it.started(made)
    del made.linux["seccomp"]
    made.write()
    process = dict(made.process, args=["hostname", "evil"])
    with open(f"{it.folder}/process.json", "w", encoding="ascii") as handle:
        json.dump(process, handle)
    words = ["--process", f"{it.folder}/process.json", box] if from_file else [box, "hostname", "evil"]
    it.rt("exec", *words).fails("not permitted")
    contains(it.rt("exec", box, "hostname").ok().out, "box")


@LANGSBX
@needs("landlock:5")
@each(on="", off="off")
def test_exec_and_init_do_not_see_into_each_other(it, landlock):
    """Two Landlock domains side by side: environment, root and descriptors of the other are out of reach, unless the layer is off."""
    look = "cat /proc/%s/environ; ls /proc/%s/root/; echo x > /proc/%s/fd/1"
    made = it.bundle(shell=f"while ! read pid < /tmp/pid; do sleep 0.1; done; {look.replace('%s', '$pid')}; sleep 1000")
    if landlock:
        made.config["annotations"] = {"io.langsbx.landlock": landlock}
    log = f"{it.folder}/log"
    with open(log, "wb") as stream:
        made.write()
        argv = it.rt.argv("run", "--detach", "--bundle", made.path, it.id())
        expect(it.background(argv, stdout=stream, stderr=stream).wait(20) == 0, "not started")
    inward = it.rt("exec", it.id(), "sh", "-c", look.replace("%s", "1")).text
    it.rt("exec", "--detach", "--env", "MARK=seen", it.id(), "sh", "-c", "echo $$ > /tmp/pid; sleep 1000").ok()
    # exec's own program is pid 1's sibling: what it sees of it is what init sees of exec's.
    it.until("init's look", lambda: "seen" in read(log) or read(log).count("ermission denied") >= 2)
    for text, mark in ((inward, "HOME="), (read(log), "MARK=seen")):
        equal(mark in text, bool(landlock), text)
        equal("ermission denied" in text, not landlock, text)


@LANGSBX
def test_exec_keeps_no_new_privileges(it):
    made = it.bundle("sleep", "1000")
    made.process["noNewPrivileges"] = True
    box = it.started(made)
    process = {"args": ["grep", "NoNewPrivs", "/proc/self/status"], "cwd": "/", "user": {"uid": 0, "gid": 0},
               "env": ["PATH=/bin"]}
    with open(f"{it.folder}/process.json", "w", encoding="ascii") as handle:
        json.dump(process, handle)
    contains(it.rt("exec", "--process", f"{it.folder}/process.json", box).ok().out, "1")


@LANGSBX
@needs("landlock:3")
def test_exec_may_ask_for_more(it):
    """process.landlock of exec's own process file comes on top of the recorded plan."""
    box = it.started()
    process = {"args": ["sh", "-c", "echo x > /tmp/file"], "cwd": "/", "user": {"uid": 0, "gid": 0}, "env": ["PATH=/bin"],
               "noNewPrivileges": True, "landlock": {"ruleset": {"handledAccessFS": ["write_file", "make_reg"]}, "disableBestEffort": True}}
    with open(f"{it.folder}/process.json", "w", encoding="ascii") as handle:
        json.dump(process, handle)
    it.rt("exec", "--process", f"{it.folder}/process.json", box).fails("ermission denied")


@LANGSBX
@needs("landlock:3")
@each(ours="handledAccessFS", theirs="handledAccessFs")
def test_process_landlock_in_both_spellings(it, key):
    made = it.bundle(shell="echo x > /tmp/file; echo x > /home/file")
    rights = ["write_file", "make_reg"]
    made.process["noNewPrivileges"] = True
    made.process["landlock"] = {
        "ruleset": {key: rights},
        "rules": {"pathBeneath": [{"allowedAccess": rights, "paths": ["/tmp"]}]}, "disableBestEffort": True}
    contains(it.run(made).text, "ermission denied")
    expect(os.path.exists(f"{made.rootfs}/tmp/file") and not os.path.exists(f"{made.rootfs}/home/file"), "not as asked")


DOCUMENT = {"abi": 3, "ruleset": [{"handledAccessFs": ["write_file", "make_reg"]}]}


def document(*places, **more):
    rules = [{"allowedAccess": ["write_file", "make_reg"], "parent": list(places)}]
    return json.dumps({**DOCUMENT, "pathBeneath": rules, **more})


@LANGSBX
@needs("landlock:3")
@each(link="/data/out", dots="/data/../etc", inside="/data/in")
def test_a_link_of_the_image_widens_no_policy(it, place):
    """Two tight policies become one layer: what both allow, whatever the image's links are."""
    made = tight(it.bundle(shell="echo x > /etc/evil; echo x > /data/real/file"))
    os.makedirs(f"{made.rootfs}/data/real")
    os.symlink("/etc", f"{made.rootfs}/data/out")
    os.symlink("real", f"{made.rootfs}/data/in")
    made.process["noNewPrivileges"] = True
    made.config["annotations"].update({"io.langsbx.landlock.write": "/data", "io.langsbx.landlock.config": document(place)})
    it.run(made)
    expect(not os.path.exists(f"{made.rootfs}/etc/evil"), "written where only one of the two policies allows it")
    equal(os.path.exists(f"{made.rootfs}/data/real/file"), place == "/data/in", "a link that stays below")


@LANGSBX
@needs("landlock:3")
def test_landlockconfig_document(it):
    """Paths from the working directory, and variables."""
    variables = [{"name": "top", "literal": ["/tmp", "/var"]}]
    made = it.bundle(shell="for f in here/a /tmp/a /var/a /home/a; do echo x > $f; done")
    for folder in ("srv/here", "srv/there"):
        os.makedirs(f"{made.rootfs}/{folder}")
    made.process.update(cwd="/srv", noNewPrivileges=True)
    made.config["annotations"] = {"io.langsbx.landlock.config": document("./here", "${top}", variable=variables)}
    it.run(made)
    written = [f for f in ("srv/here/a", "tmp/a", "var/a", "home/a") if os.path.exists(f"{made.rootfs}/{f}")]
    equal(written, ["srv/here/a", "tmp/a", "var/a"])
    made.config["annotations"] = {"io.langsbx.landlock.config": document("${bottom}", variable=variables)}
    it.run(made, suffix="bad").fails("pathBeneath[0].parent[0]", "bottom")


@LANGSBX
@needs("landlock:3")
@each(secret=0o640, pipe=None, public=0o644)
def test_an_annotation_reads_no_secret_of_the_host(it, mode):
    """Who may only write annotations learns nothing of a file that is not everybody's, and holds nobody up."""
    path = f"{it.folder}/document"
    if mode is None:
        os.mkfifo(path)
    else:
        with open(path, "w", encoding="ascii") as handle:
            json.dump({"hush": 1} if mode == 0o640 else DOCUMENT, handle)
        os.chmod(path, mode)
    made = it.bundle("true")
    made.process["noNewPrivileges"] = True
    made.config["annotations"] = {"io.langsbx.landlock.config": path}
    result = it.run(made, timeout=20)
    if mode == 0o644:
        result.ok()
    else:
        result.fails("not a regular file" if mode is None else "not a file that everybody may read")
        expect("hush" not in result.text, result.text)


@LANGSBX
@needs("landlock:6")
def test_inspect_shows_what_is_in_force(it):
    made = breakout.prepare(it, "guarded", 0, it.bundle()).args("attack", "wait")
    box = it.started(made)
    report = inspected(it, box)
    equal([layer["name"] for layer in report["landlock"]["layers"]], ["container", "program"])
    equal(report["process"]["NoNewPrivs"], "1")
    equal(report["process"]["Seccomp"], "2")
    expect(report["seccomp"][0]["instructions"] > 10, report["seccomp"])
    expect("CAP_CHOWN" in report["capabilities"]["bounding"], report["capabilities"])
    mounts = {m["destination"]: m for m in report["mounts"]}
    expect(mounts["/proc"]["type"] == "proc" and "ro" in mounts["/sys"]["options"], mounts)
    text = it.rt("inspect", box).ok().out
    for part in ("landlock container", "landlock program", "allow /tmp:", "seccomp linux.seccomp", "no_new_privs yes",
                 "  /proc proc", "NoNewPrivs=1"):
        contains(text, part)


@LANGSBX
@needs("landlock:3")
def test_state_and_features_carry_the_summary(it):
    box = it.started(tight(it.bundle("sleep", "1000"), note="own"))
    annotations = it.rt.state(box)["annotations"]
    contains(annotations["io.langsbx.confinement.landlock"], "container+program, ABI")
    equal(annotations["io.langsbx.confinement.seccomp"], "none")
    equal(annotations["note"], "own")
    features = json.loads(it.rt("features").ok().out)
    expect(int(features["annotations"]["org.langsbx.landlock.abi"]) >= 3, features["annotations"])


REFUSED = "echo x > /home/file; mount -t tmpfs none /mnt; cat /etc/passwd > /dev/null"


@LANGSBX
@needs("landlock:3")
def test_explain_run(it):
    made = tight(it.bundle(shell=REFUSED))
    events = f"{it.folder}/events"
    result = it.run(made, "--explain", "--explain-file", events)
    contains(result.err, "openat /home/file")
    contains(result.err, "landlock program, make_reg")
    contains(result.err, "mount")
    expect("/etc/passwd" not in result.err, "something allowed is listed")
    with open(events, encoding="ascii") as handle:
        lines = [json.loads(line) for line in handle]
    expect(any(l["layer"] == "landlock program" and l["object"] == "/home/file" for l in lines), lines)


@LANGSBX
def test_explain_names_the_system_call(it):
    made = it.bundle(shell="hostname evil; exit 3")
    made.process["noNewPrivileges"] = True
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW",
                             "syscalls": [{"names": ["sethostname"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1}]}
    result = it.run(made, "--explain")
    equal(result.code, 3)
    contains(result.err, "sethostname: operation not permitted (refused by seccomp linux.seccomp)")


@LANGSBX
@needs("landlock:3")
def test_explain_exec(it):
    box = it.started(tight(it.bundle("sleep", "1000")))
    result = it.rt("exec", "--explain", box, "sh", "-c", "echo x > /home/file")
    contains(result.err, "landlock program, make_reg")
    contains(it.rt("exec", "--explain", box, "true").ok().err, "refused: nothing")


@LANGSBX
@needs("landlock:3")
def test_explain_by_annotation(it):
    made = tight(it.bundle(shell="echo x > /home/file; sleep 1000"), **{"io.langsbx.explain": "true"})
    box = it.started(made)
    it.until("the refusal", lambda: "refused" in inspected(it, box))
    contains(it.rt("inspect", box).ok().out, "openat /home/file")
    it.rt("kill", box, "KILL").ok()
    it.rt.wait_status(box, "stopped")
    contains(it.rt("inspect", box).ok().out, "not running")


@LANGSBX
@needs("landlock:3", "program:python3", "path:/usr/bin/python3")
def test_explain_execute(it):
    """What the guard can't see in the source, the sandbox refuses; the record says who it was."""
    source = f"{it.folder}/main.py"
    with open(source, "w", encoding="ascii") as handle:
        handle.write("import sys\ntry:\n    open(sys.argv[1], 'w')\nexcept OSError:\n    print('refused')\n")
    result = it.rt("execute", "--explain", "--json", source, "--", "/usr/lib/x", timeout=60).ok()
    record = json.loads(result.out)
    equal(record["stdout"], "refused\n")
    found = [d for d in record["refused"] if d["object"] == "/usr/lib/x"]
    expect(found and found[0]["syscall"] == "openat" and found[0]["errno"] in ("EROFS", "EACCES"), record["refused"])
    contains(it.rt("execute", "--explain", source, "--", "/usr/lib/x", timeout=60).ok().err, "langsbx: refused: python3")


@LANGSBX
def test_explain_needs_somebody_who_waits(it):
    it.run(it.bundle("true"), "--explain", "--detach").fails("io.langsbx.explain")


SANDBOX = {"io.kubernetes.cri.container-type": "sandbox"}


@LANGSBX
@needs("landlock:3")
def test_sandbox_of_a_pod_starts_under_a_guarded_runtime(it):
    made = it.bundle("/bin/pause")
    it.add_probe(made, "pause")
    made.config["annotations"] = SANDBOX
    it.rt.globals = ["--profile", "default"]
    box = it.started(made)
    report = inspected(it, box)
    equal(int(report["process"]["CapEff"], 16), 0)
    equal(report["process"]["NoNewPrivs"], "1")
    equal(report["seccomp"][-1]["name"], "language profile pause")
    it.rt("kill", box, "TERM").ok()
    it.rt.wait_status(box, "stopped")


@LANGSBX
@needs("landlock:6")
def test_a_claimed_sandbox_can_do_nothing(it):
    """The annotation is anybody's: what is no pause gets nothing by it."""
    it.rt.globals = ["--profile", "default"]
    shell = it.bundle("sh", "-c", "echo harm")
    shell.config["annotations"] = SANDBOX
    for args in (["sh", "-c", "curl http://x | sh"], ["/bin/attack", "mount"], ["attack"]):
        shell.args(*args)
        it.add_probe(shell, "attack")
        it.run(shell).fails("the language guard refuses")
    liar = it.bundle("/bin/attack")
    it.add_probe(liar, "attack")
    liar.config["annotations"] = {**SANDBOX, "io.langsbx.landlock": "off", "io.langsbx.landlock.read": "/",
                                  "io.langsbx.landlock.write": "/", "io.langsbx.landlock.execute": "/"}
    result = it.run(liar, timeout=60)
    # It can't even make the children that would try the techniques.
    equal(result.out.count("SUCCEEDED"), 0, "techniques that got through")


@LANGSBX
def test_check_host_is_readable_by_machines(it):
    report = json.loads(it.rt("check-host", "-f", "json").ok().out)
    names = {fact["name"]: fact for fact in report["facts"]}
    expect({"landlock", "landlock.fs.refer", "seccomp.errno", "namespace.mount", "openat2"} <= set(names), sorted(names))
    for fact in names.values():
        expect(fact["enforceable"] or fact["detail"], f"no reason: {fact}")
