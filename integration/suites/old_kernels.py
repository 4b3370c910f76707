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
def test_container_layer_required(it):
    without_container_layer()
    made = it.bundle("true")
    made.config["annotations"] = {"io.langsbx.landlock": "broad"}
    it.create(made).fails("io.langsbx.landlock", f"needs Landlock ABI {CONTAINER_ABI}", f"the kernel has {host.landlock_abi()}")


@only("langsbx")
@each(required="", best_effort="best-effort")
def test_guarded_program(it, mode):
    """The tight layer of a guarded program takes ABI 6 with its scopes; fewer is an error unless best effort was named."""
    if host.landlock_abi() >= 6:
        raise Skip("the kernel has what the program's layer needs")
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
@each(required="", best_effort="\nlandlock: {best_effort: true}")
def test_guarded_by_a_profile(it, more):
    """Where a client passes no annotations (Docker 20.10), a profile of the administrator's says that the rest is enough."""
    if host.landlock_abi() >= 6:
        raise Skip("the kernel has what the program's layer needs")
    profile("{processes: 50}" + more)
    result = it.run(guarded(it.bundle("sh", "-c", "echo ran")))
    if more:
        equal(result.ok().out, "ran\n")
    else:
        result.fails("guard profile small", "ABI")
