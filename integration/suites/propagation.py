"""propagation: what reaches the host from a container's mounts, and what does not."""
import os
import subprocess
from contextlib import contextmanager

from harness.case import contains, each, equal


@contextmanager
def shared(path):
    """Mounted on itself, and shared: as the host's root is under systemd."""
    os.makedirs(path, exist_ok=True)
    subprocess.run(["mount", "--bind", path, path], check=True)
    subprocess.run(["mount", "--make-shared", path], check=True)
    try:
        yield path
    finally:
        subprocess.run(["umount", "-R", "-l", path], check=True)


def mounts_below(path):
    with open("/proc/self/mountinfo", encoding="utf-8") as handle:
        return [line.split()[4] for line in handle if line.split()[4].startswith(path + "/")]


@each(slave="slave", private="private", rslave="rslave", rprivate="rprivate", unbindable="unbindable", default="")
def test_no_mount_stays_on_the_host(it, propagation):
    """The root file system lies on a shared mount, and another one in it."""
    made = it.bundle("true")
    made.mount("/inner/place", "tmpfs")
    if propagation:
        made.linux["rootfsPropagation"] = propagation
    with shared(made.path), shared(f"{made.rootfs}/inner"):
        before = mounts_below(made.path)
        it.run(made).ok()
        equal(mounts_below(made.path), before)


@each(slave="slave", private="private")
def test_no_mount_on_a_shared_bind_stays(it, propagation):
    made = it.bundle("true").mount("/m", "bind", f"{it.folder}/src", "bind").mount("/m/inner", "tmpfs")
    made.linux["rootfsPropagation"] = propagation
    with shared(f"{it.folder}/src") as outer:
        it.run(made).ok()
        equal(mounts_below(outer), [])


@each(shared="shared", rshared="rshared")
def test_shared_bind_reaches_the_host(it, value):
    """Bidirectional in Kubernetes: what a CSI driver mounts inside appears on the host."""
    with shared(f"{it.folder}/src") as outer:
        os.mkdir(outer + "/late")
        made = it.bundle("sleep", "1000").caps("CAP_SYS_ADMIN").mount("/m", "bind", outer, "rbind", value)
        made.linux["rootfsPropagation"] = value
        box = it.started(made)
        contains(it.rt("exec", box, "grep", " /m ", "/proc/self/mountinfo").ok().out, "shared:")
        equal("master:" in it.rt("exec", box, "grep", " /m ", "/proc/self/mountinfo").ok().out, False)
        it.rt("exec", box, "mount", "-t", "tmpfs", "tmpfs", "/m/late").ok()
        equal(mounts_below(outer), [outer + "/late"])
        it.rt("exec", box, "umount", "/m/late").ok()
        equal(mounts_below(outer), [])


@each(shared="shared", rshared="rshared")
def test_the_host_keeps_its_mounts(it, value):
    """The old root is detached in the container only."""
    with shared(f"{it.folder}/src") as outer:
        os.mkdir(outer + "/own")
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", outer + "/own"], check=True)
        made = it.bundle("true")
        made.linux["rootfsPropagation"] = value
        before = mounts_below(it.folder)
        it.run(made).ok()
        equal(mounts_below(it.folder), before)
        contains(before, outer + "/own")
