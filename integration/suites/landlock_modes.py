"""required, auto, best-effort, off: where the container's layer steps aside for what was asked, and who may keep or take it."""
import json
import os
import stat

from harness import host
from harness.case import contains, each, equal, expect, needs, only
from suites.guard_limits import guarded, profile

LANGSBX = only("langsbx")
MOUNT = "mount -t tmpfs none /mnt && echo mounted"


def annotated(made, **more):
    made.config.setdefault("annotations", {}).update({"io.langsbx." + key: value for key, value in more.items()})
    return made


def administrator(text):
    """An /etc/langsbx/config.yaml that only this case sees."""
    host.private_mounts()
    host.mount("tmpfs", "/etc", "tmpfs", 0)
    os.makedirs("/etc/langsbx")
    with open("/etc/langsbx/config.yaml", "w", encoding="ascii") as handle:
        handle.write(text)


def inspected(it, box):
    return json.loads(it.rt("inspect", "-f", "json", box).ok().out)["landlock"]


@LANGSBX
@needs("landlock:2")
def test_who_may_mount_may(it):
    """Privileged pods, CSI drivers, Docker in Docker, builders. It is told at once, by inspect and in the state."""
    made = it.bundle("sleep", "1000").caps("CAP_SYS_ADMIN")
    result = it.run(made, "--detach").ok()
    box = it.id()
    contains(result.text, "landlock: the container's layer steps aside: CAP_SYS_ADMIN is given")
    equal(result.text.count("steps aside"), 1)
    contains(it.rt("exec", box, "sh", "-c", MOUNT).ok().out, "mounted")
    report = inspected(it, box)
    equal(report["layers"], [])
    contains(report["notes"][0], "steps aside")
    contains(it.rt("inspect", box).ok().out, "note: the container's layer steps aside")
    annotations = it.rt.state(box)["annotations"]
    contains(annotations["io.langsbx.confinement.notes"], "steps aside")
    contains(annotations["io.langsbx.confinement.landlock"], "none, ABI")
    expect("steps aside" not in it.rt("exec", box, "true").ok().text, "told once more by exec")


@LANGSBX
@needs("landlock:2")
def test_without_the_right_to_mount_nothing_steps_aside(it):
    """Nor because seccomp is not there: nobody asked for anything by that. A mount in a user namespace of one's own is refused, too."""
    result = it.run(it.bundle("sh", "-c", f"unshare -rm sh -c '{MOUNT}'; {MOUNT}"))
    expect("mounted" not in result.out, result.text)


@LANGSBX
@needs("landlock:2")
@each(annotation="annotation", old_word="broad", best_effort="best-effort", flag="flag", administrator="administrator")
def test_kept_by(it, who):
    made = it.bundle("sh", "-c", MOUNT).caps("CAP_SYS_ADMIN")
    if who == "flag":
        it.rt.globals += ["--landlock", "required"]
    elif who == "administrator":
        administrator("landlock: {mode: required}")
    else:
        annotated(made, landlock="required" if who == "annotation" else who)
    result = it.run(made)
    expect("mounted" not in result.out and "steps aside" not in result.text, result.text)
    contains(result.err, "mount")


@LANGSBX
@needs("landlock:6")
def test_a_guarded_container_keeps_its_layer(it):
    profile("{processes: 50}")
    box = it.started(guarded(it.bundle("sh", "-c", "sleep 1000").caps("CAP_SYS_ADMIN")))
    expect("container" in [layer["name"] for layer in inspected(it, box)["layers"]], "no container layer")


@LANGSBX
@needs("landlock:2")
@each(flag_over_annotation=("", ["--landlock", "required"], "off"), administrator_over_flag=("landlock: {mode: required}", ["--landlock", "off"], ""),
      administrator_over_annotation=("landlock: {mode: auto}", [], "off"))
def test_the_weaker_one_does_not_loosen(it, words):
    text, flags, annotation = words
    if text:
        administrator(text)
    it.rt.globals += flags
    made = it.bundle("true")
    if annotation:
        annotated(made, landlock=annotation)
    it.create(made).fails("would loosen", "/etc/langsbx/config.yaml")


@LANGSBX
@needs("landlock:2")
def test_the_flag_holds_for_an_exec_without_it(it):
    """conmon passes no flags on to exec: what create settled is in the record."""
    before = list(it.rt.globals)
    it.rt.globals += ["--landlock", "off"]
    box = it.started(it.bundle("sleep", "1000"))
    it.rt.globals = before
    contains(it.rt("exec", box, "cat", "/proc/1/environ").ok().out, "HOME=")
    equal(inspected(it, box)["layers"], [])


def node(it, command, **more):
    return it.run(annotated(it.bundle("sh", "-c", command), **more))


@LANGSBX
@needs("landlock:2")
def test_nodes_are_made_and_the_device_cgroup_judges_their_opening(it):
    """As with runc's defaults: any node may be made, and none of the host opened."""
    result = node(it, "mknod /tmp/zero c 1 5 && head -c1 /tmp/zero | wc -c; mknod /tmp/kmsg c 1 11 && cat /tmp/kmsg; mknod /dev/ram b 1 0 && ls -l /dev/ram")
    contains(result.out, "1\n")
    contains(result.out, "brw")
    contains(result.err, "can't open '/tmp/kmsg': Operation not permitted")


@LANGSBX
@needs("landlock:2")
@each(required="required", best_effort="best-effort")
def test_no_nodes_where_the_layer_is_whole(it, mode):
    contains(node(it, "mknod /tmp/zero c 1 5", landlock=mode).err, "ermission denied")


@LANGSBX
@needs("landlock:2")
def test_no_nodes_without_a_device_cgroup(it):
    """Nothing would judge their opening."""
    it.rt.globals += ["--cgroup-manager", "disabled"]
    made = it.bundle("sh", "-c", "mknod /tmp/zero c 1 5; mknod /tmp/ram b 1 0")
    made.linux.pop("resources", None)
    made.linux.pop("cgroupsPath", None)
    result = it.run(made)
    equal(result.err.count("ermission denied"), 2, result.text)


@LANGSBX
def test_no_nodes_without_the_capability(it):
    made = it.bundle("sh", "-c", "mknod /tmp/zero c 1 5").caps("CAP_CHOWN")
    it.run(made).fails("mknod")


@LANGSBX
@needs("landlock:2")
@each(own_child=True, exec=False)
def test_logging_into_inits_output(it, own):
    """A cron daemon of the container writes to /proc/1/fd/1; who comes in by exec does not, and takes a pipe instead."""
    loop = "mkfifo /tmp/log; while cat /tmp/log; do :; done & "
    made = it.bundle(shell=loop + ("sh -c 'echo line > /proc/1/fd/1'; " if own else "") + "sleep 1000")
    log = f"{it.folder}/log"
    with open(log, "wb") as stream:
        made.write()
        argv = it.rt.argv("run", "--detach", "--bundle", made.path, it.id())
        expect(it.background(argv, stdout=stream, stderr=stream).wait(20) == 0, "not started")

    def said():
        with open(log, encoding="utf-8") as handle:
            return handle.read()
    if not own:
        it.rt("exec", it.id(), "sh", "-c", "echo line > /proc/1/fd/1").fails("ermission denied")
        it.until("the pipe", lambda: stat.S_ISFIFO(os.stat(f"{made.rootfs}/tmp/log").st_mode) if os.path.exists(f"{made.rootfs}/tmp/log") else False)
        it.rt("exec", it.id(), "sh", "-c", "echo line > /tmp/log").ok()
    it.until("the line", lambda: "line" in said())
