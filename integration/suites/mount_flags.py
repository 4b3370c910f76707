"""mount_flags: which flags a bind mount has in the end, with and without a user namespace; the mode of a tmpfs."""
import os
import subprocess
from contextlib import contextmanager

from harness.case import each, equal, needs, only
from suites.as_crun import call_it_crun


@contextmanager
def source(it, options):
    """A mount of its own with these flags, as a host has them."""
    path = f"{it.folder}/src"
    os.makedirs(path + "/sub")
    subprocess.run(["mount", "--bind", path, path], check=True)
    subprocess.run(["mount", "-o", f"remount,bind,{options}", path], check=True)
    try:
        yield path
    finally:
        subprocess.run(["umount", "-l", path], check=True)


def flags(it, made):
    return set(it.sh("awk '$2==\"/m\"{print $4}' /proc/self/mounts", made).strip().split(","))


def bound(it, path, options):
    return it.bundle().mount("/m", "bind", path, *options.split(","))


# source's flags; options; what the container has; with a user namespace (None: refused)
CASES = {
    "none": ("ro,noexec,nodiratime", "bind", {"ro", "noexec", "nodiratime", "relatime"},
             {"ro", "noexec", "nodiratime", "relatime"}),
    "clearing": ("ro,noexec,nodiratime", "bind,dev", {"rw", "nodiratime", "relatime"},
                 {"ro", "noexec", "nodiratime", "relatime"}),
    "implied_rw": ("ro", "bind,nosuid,nodev,rprivate", {"rw", "nosuid", "nodev"}, {"ro", "nosuid", "nodev"}),
    "explicit_rw": ("ro", "bind,rw,nosuid", {"rw", "nosuid"}, None),
    "all_cleared": ("nosuid,nodev,noexec,noatime", "bind,dev,suid,exec,atime", {"rw", "noatime"}, None),
    "readonly": ("nodev,nosuid,noexec,noatime", "bind,ro", {"ro", "noatime"}, {"ro", "nodev", "nosuid", "noexec", "noatime"}),
    "exec": ("nodev,nosuid,noatime", "bind,ro,exec", {"ro", "noatime"}, {"ro", "nodev", "nosuid", "noatime"}),
    "atime": ("noatime", "bind,atime", {"rw", "noatime"}, {"rw", "noatime"}),
    "norelatime": ("noatime", "bind,norelatime", {"rw", "noatime"}, {"rw", "noatime"}),
    "relatime": ("noatime", "bind,relatime", {"rw", "relatime"}, None),
    "nodiratime": ("noatime", "bind,nodiratime", {"rw", "nodiratime", "relatime"}, None),
    "strictatime": ("nodiratime", "bind,strictatime", {"rw"}, None),
    "two_times": ("noatime", "bind,nodiratime,strictatime", {"rw", "nodiratime"}, None),
    "no_such_times": ("noatime", "bind,nodiratime,norelatime", {"rw", "nodiratime", "relatime"}, None),
}
TIMES = {"noatime", "relatime", "nodiratime"}


def compare(it, made, wanted):
    found = flags(it, made)
    names_times = bool(wanted & TIMES) or wanted == {"rw"}
    found &= TIMES | {"ro", "rw", "nosuid", "nodev", "noexec", "nosymfollow"}  # without the file system's own
    equal(sorted(found if names_times else found - TIMES), sorted(wanted))


@each(**CASES)
def test_bind(it, value):
    given, options, wanted, _ = value
    with source(it, given) as path:
        compare(it, bound(it, path, options), wanted)


@each(**CASES)
def test_bind_in_user_namespace(it, value):
    given, options, _, wanted = value
    with source(it, given) as path:
        made = bound(it, path, options).user_namespace()
        if wanted is None:
            it.run(made).fails("error mounting", "/m", "locked", "operation not permitted")
        else:
            compare(it, made, wanted)


@needs("kernel:5.12")
def test_recursive_option_in_user_namespace(it):
    with source(it, "ro") as path:
        it.run(bound(it, path, "rbind,rrw").user_namespace()).fails("error mounting", "/m", "locked", "operation not permitted")


@only("langsbx")
def test_called_crun_keeps_locked_flags(it):
    call_it_crun(it)
    with source(it, "ro,nosuid") as path:
        equal(sorted(flags(it, bound(it, path, "bind,rw,exec").user_namespace()) & {"ro", "nosuid"}), ["nosuid", "ro"])


@each(closed="0700", group="0710", sticky="1777")
def test_tmpfs_has_the_mode_it_covers(it, mode):
    made = it.bundle().mount("/covered", "tmpfs", "tmpfs", "nosuid")
    os.mkdir(f"{made.rootfs}/covered")
    os.chmod(f"{made.rootfs}/covered", int(mode, 8))
    equal(it.sh("stat -c %a /covered", made), mode.lstrip("0"))


@each(propagation=("private",), super_flag=("sync",), nofollow=("dest-nofollow",))
def test_tmpfs_made_step_by_step_has_the_mode_it_covers(it, options):
    made = it.bundle().mount("/covered", "tmpfs", "tmpfs", *options)
    os.mkdir(f"{made.rootfs}/covered", 0o700)
    equal(it.sh("stat -c %a /covered", made), "700")


def test_tmpfs_with_a_mode_keeps_it(it):
    made = it.bundle().mount("/covered", "tmpfs", "tmpfs", "mode=1500")
    os.mkdir(f"{made.rootfs}/covered", 0o710)
    equal(it.sh("stat -c %a /covered", made), "1500")
    equal(os.stat(f"{made.rootfs}/covered").st_mode & 0o7777, 0o710)


def test_tmpfs_on_a_new_place_is_for_all(it):
    equal(it.sh("stat -c %a /new/place /new", it.bundle().mount("/new/place", "tmpfs")), "1777\n755")
