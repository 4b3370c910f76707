"""Kernels that are too old for what is asked of Landlock: what is required stops the container, best effort goes on with the rest and says
what is missing. Which cases run depends on the kernel; `make test-vm` has several."""
import json
import os

from harness import host
from harness.case import Skip, contains, each, equal, expect, needs, only
from suites.guard_limits import guarded, profile

# Rights on files, and the ABI that brought each.
NEWER = {"truncate": 3, "ioctl_dev": 5, "resolve_unix": 9}
CONTAINER_ABI = 2  # the lowest for the container's own layer: without "refer" nothing could be renamed between folders


def asking(it, right, **more):
    """A container whose program may write below /tmp only, and asks for a right that the kernel has not."""
    if host.landlock_abi() >= NEWER[right]:
        raise Skip(f"the kernel has {right}")
    rights = ["write_file", "make_reg", right]
    made = it.bundle("sleep", "1000")
    made.process["noNewPrivileges"] = True
    made.process["landlock"] = {"ruleset": {"handledAccessFS": rights},
                                "rules": {"pathBeneath": [{"allowedAccess": rights, "paths": ["/tmp"]}]}, **more}
    return made


@only("langsbx")
@each(**{right: right for right in NEWER})
def test_required_stops(it, right):
    it.create(asking(it, right, disableBestEffort=True)).fails("process.landlock", right, f"ABI {host.landlock_abi()}")
    expect(not os.path.exists(f"{it.rt.root}/{it.id()}"), "something of the container stays")


@only("langsbx")
@needs("landlock:1")
@each(**{right: right for right in NEWER})
def test_best_effort_goes_on(it, right):
    """The rights that the kernel has are enforced, the missing one is named by inspect and in the state."""
    box = it.started(asking(it, right, disableBestEffort=False))
    it.rt("exec", box, "sh", "-c", "echo x > /tmp/file").ok()
    it.rt("exec", box, "sh", "-c", "echo x > /home/file").fails("ermission denied")
    missing = json.loads(it.rt("inspect", "-f", "json", box).ok().out)["landlock"]["unenforced"]
    expect(any(right in line for line in missing), missing)
    contains(it.rt.state(box)["annotations"]["io.langsbx.confinement.unenforced"], right)


def without_container_layer():
    if host.landlock_abi() >= CONTAINER_ABI:
        raise Skip("the kernel has what the container's layer needs")


@only("langsbx")
def test_container_layer_unasked(it):
    """By default the layer is left out where the kernel can't have it, and that is said."""
    without_container_layer()
    box = it.started()
    contains(it.rt("inspect", box).ok().out, f"needs Landlock ABI {CONTAINER_ABI}")


@only("langsbx")
@each(required="required", broad="broad", flag="")
def test_container_layer_required(it, word):
    without_container_layer()
    made = it.bundle("true")
    if word:
        made.config["annotations"] = {"io.langsbx.landlock": word}
    else:
        it.rt.globals += ["--landlock", "required"]
    it.create(made).fails("io.langsbx.landlock", f"needs Landlock ABI {CONTAINER_ABI}", f"the kernel has {host.landlock_abi()}")


def too_old_for_the_program():
    if host.landlock_abi() >= 6:
        raise Skip("the kernel has what the program's layer needs")


@only("langsbx")
@each(required="", best_effort="best-effort")
def test_program_by_annotation(it, mode):
    """The tight layer of a program takes ABI 6 with its scopes. Who asks for it by annotation gets all of it, or an error, unless best
    effort was named."""
    too_old_for_the_program()
    made = it.bundle("sleep", "1000")
    made.config["annotations"] = {"io.langsbx.landlock.write": "/tmp", "io.langsbx.landlock.read": "/", "io.langsbx.landlock.execute": "/bin"}
    if not mode:
        it.create(made).fails("ABI", "io.langsbx.landlock=best-effort goes on without")
        return
    made.config["annotations"]["io.langsbx.landlock"] = mode
    box = it.started(made)
    report = json.loads(it.rt("inspect", "-f", "json", box).ok().out)["landlock"]
    expect(any("signal" in line for line in report["unenforced"]), report["unenforced"])
    names = [layer["name"] for layer in report["layers"]]
    equal("program" in names, host.landlock_abi() >= 1, f"layers {names}")
    if names:
        it.rt("exec", box, "sh", "-c", "echo x > /home/file").fails("ermission denied")


@only("langsbx")
@each(auto="", required="--landlock", own_profile="\nlandlock: {best_effort: false}")
def test_guarded_by_a_profile(it, how):
    """A guarded program runs with what the kernel has, and is told what it has not, three times; required, it does not run."""
    too_old_for_the_program()
    profile("{processes: 50}" + how * how.startswith("\n"))
    if how:
        it.rt.globals += ["--landlock", "required"] if how == "--landlock" else []
        it.run(guarded(it.bundle("sh", "-c", "echo ran"))).fails("guard profile small", "ABI")
        return
    result = it.run(guarded(it.bundle("sh", "-c", "echo ran"))).ok()
    equal(result.out, "ran\n")
    contains(result.err, "Landlock is not in force whole")
    box = it.started(guarded(it.bundle("sh", "-c", "sleep 1000")), suffix="waits")
    contains(it.rt.state(box)["annotations"]["io.langsbx.confinement.unenforced"], "signal needs ABI 6")
    report = json.loads(it.rt("inspect", "-f", "json", box).ok().out)
    expect(any("signal needs ABI 6" in line for line in report["landlock"]["unenforced"]), report["landlock"]["unenforced"])
    with open(f"{it.rt.root}/{box}/guard.jsonl", encoding="utf-8") as handle:
        verdict = json.loads(handle.readlines()[-1])
    expect(any("signal needs ABI 6" in line for line in verdict["unenforced"]), verdict)
