"""mount_places: where sources come from and destinations are, and how many there may be."""
import os
import shutil
import subprocess
import threading
import time

from harness.case import Skip, contains, each, equal, expect, needs, only
from suites.as_crun import call_it_crun


def folder(it, name, text=None):
    path = f"{it.folder}/{name}"
    os.makedirs(path, exist_ok=True)
    os.chmod(path, 0o755)
    if text is not None:
        with open(path + "/f", "w", encoding="ascii") as handle:
            handle.write(text)
    return path


def can_idmap(path):
    kind = subprocess.run(["stat", "-f", "-c", "%T", path], capture_output=True, text=True, check=True).stdout.strip()
    if kind == "overlayfs":
        raise Skip("overlayfs can't be idmapped")


def test_destination_may_begin_with_the_root(it):
    made = it.bundle()
    made.mount(f"{made.rootfs}/m", "bind", folder(it, "src", "inside"), "bind")
    equal(it.sh("cat /m/f", made), "inside")


@only("langsbx")
def test_destination_stands_as_it_is_for_crun(it):
    call_it_crun(it)
    made = it.bundle()
    made.mount(f"{made.rootfs}/m", "bind", folder(it, "src", "inside"), "bind")
    equal(it.sh(f"cat {made.rootfs}/m/f", made), "inside")


@each(tmpfs=("tmpfs", "tmpfs"), bind=("bind", "/usr", "bind"), dots=("tmpfs", "tmpfs"))
def test_root_is_no_destination(it, value):
    kind, path, *options = value
    it.run(it.bundle("true").mount("/a/.." if kind == "tmpfs" else "/", kind, path, *options)).fails("/")


@only("langsbx")
@each(plain=None, private="private", shared="rshared", readonly="readonly", user="user", no_pivot="no_pivot")
def test_root_is_covered_for_crun(it, value):
    """What is mounted over the root is the root from then on; what lay there and the host's mounts stay as they are."""
    call_it_crun(it)
    made = it.bundle(shell="cat /who /m/f; cat /proc/self/mountinfo; echo x > /new").file("/who", "covered")
    other = f"{it.folder}/other"
    shutil.copytree(made.rootfs, other, symlinks=True)
    with open(f"{other}/who", "w", encoding="ascii") as handle:
        handle.write("over ")
    made.config["mounts"].insert(0, {"destination": "/", "type": "bind", "source": other, "options": ["rbind"]})
    made.mount("/m", "bind", folder(it, "src", "below"), "bind")
    if value in ("private", "rshared"):
        made.linux["rootfsPropagation"] = value
    if value == "user":
        subprocess.run(["chown", "-hR", "100000:100000", other], check=True)
        made.user_namespace()
    made.config["root"]["readonly"] = value == "readonly"
    result = it.run(made, *(["--no-pivot"] if value == "no_pivot" else []))
    expect(result.out.startswith("over below"), result.text)
    equal(os.path.exists(f"{other}/new"), value != "readonly", result.text)
    expect(not os.path.exists(f"{made.rootfs}/new"), "written below")
    with open("/proc/self/mountinfo", encoding="utf-8") as handle:
        expect(it.folder not in handle.read(), "a mount stays on the host")


@only("langsbx")
def test_memory_covers_the_root_for_crun(it):
    call_it_crun(it)
    made = it.bundle().mount("/", "tmpfs", "tmpfs", "size=1m")
    made.config["mounts"] = [made.config["mounts"][-1], {"destination": "/usr", "type": "bind", "source": "/usr",
                             "options": ["rbind", "ro"]}] + made.config["mounts"][:-1]
    made.config["process"]["args"] = ["/usr/bin/busybox", "sh", "-c", "busybox stat -f -c %T /"]
    result = it.run(made)
    contains(result.text, "tmpfs")
    it.run(it.bundle("true").mount("/", "tmpfs", "tmpfs", "tmpcopyup"), suffix="copy").fails("/")


def test_relative_masks(it):
    made = it.bundle().file("/secret", "x").file("/dir/f", "y")
    made.linux["maskedPaths"], made.linux["readonlyPaths"] = ["secret"], ["dir"]
    equal(it.sh("cat /secret; touch /dir/x 2>/dev/null || echo ro", made), "ro")


@each(bind="bind", rbind="rbind")
def test_source_from_an_earlier_mount(it, option):
    """In a user namespace, too, and where the host shows something else at that path."""
    for shown in (False, True):
        made = it.bundle().user_namespace()
        if shown:
            os.makedirs(f"{made.rootfs}/outer/sub")
        outer = folder(it, "src")
        folder(it, "src/sub", "from the mount")
        made.mount("/outer", "bind", outer, "bind")
        made.mount("/final", "bind", f"{made.rootfs}/outer/sub", option)
        equal(it.sh("cat /final/f", made), "from the mount")


@needs("kernel:5.12")
def test_idmapped_source_from_an_earlier_mount(it):
    outer = folder(it, "src")
    can_idmap(outer)
    folder(it, "src/sub", "x")
    mapping = [{"containerID": 0, "hostID": 5000, "size": 65536}]
    made = it.bundle().mount("/outer", "bind", outer, "bind")
    made.mount("/final", "bind", f"{made.rootfs}/outer/sub", "bind", uidMappings=mapping, gidMappings=mapping)
    equal(it.sh("stat -c '%u:%g' /final/f", made), "5000:5000")


@needs("kernel:5.12")
@each(plain=["bind"], recursive=["rbind"])
def test_idmapped_source_from_an_earlier_mount_in_a_user_namespace(it, value):
    """What lies there belongs to the host's root; mapped it is the container's, with what is mounted in it."""
    closed = folder(it, "closed")
    can_idmap(closed)
    outer, inner = folder(it, "closed/src"), folder(it, "closed/inner", "inner")
    folder(it, "closed/src/sub", "outer")
    os.chmod(closed, 0o700)
    made = it.bundle().user_namespace().mount("/outer", "bind", outer, "bind")
    subprocess.run(["chown", "-hR", "100000:100000", made.rootfs], check=True)
    made.mount("/outer/sub", "bind", inner, "bind")
    made.mount("/final", "bind", f"{made.rootfs}/outer", *value, "idmap")
    inside = "inner" if value == ["rbind"] else "outer"
    equal(it.sh("stat -c '%u:%g' /outer/. /final/. | tr '\\n' ' '; cat /final/sub/f", made), f"65534:65534 0:0 {inside}")
    with open("/proc/self/mountinfo", encoding="utf-8") as handle:
        expect(it.folder not in handle.read(), "a mount stays on the host")


@needs("kernel:5.12")
def test_idmap_of_a_joined_user_namespace(it):
    path = folder(it, "src", "x")
    can_idmap(path)
    it.started(it.bundle("sleep", "1000").user_namespace(), suffix="first")
    made = it.bundle().mount("/m", "bind", path, "bind", "idmap")
    subprocess.run(["chown", "-hR", "100000:100000", made.rootfs], check=True)
    made.namespace("user", f"/proc/{it.rt.state(it.id('first'))['pid']}/ns/user")
    equal(it.sh("stat -c '%u:%g' /m/f", made), "0:0")


def test_idmap_without_any_mapping_is_refused(it):
    it.run(it.bundle("true").mount("/m", "bind", folder(it, "src"), "bind", "idmap")).fails()


@only("langsbx", "crun")
def test_destination_nofollow(it):
    """A symlink is mounted upon, and what it names is not made."""
    made = it.bundle()
    os.symlink("point-to-nowhere", f"{made.rootfs}/target")
    made.mount("/target", "bind", folder(it, "src", "inside") + "/f", "bind", "dest-nofollow")
    result = it.run(made.shell("cat /target; ls /point-to-nowhere 2>/dev/null; true"))
    if it.rt.name != "langsbx" and result.code != 0:
        raise Skip(f"{it.rt.name}: {result.text.strip()[-100:]}")
    equal(result.ok().out, "inside")
    expect(not os.path.exists(f"{made.rootfs}/point-to-nowhere"), "the link was followed")


@only("langsbx")
@each(missing_file=("/new/file", "/f"), missing_folder=("/new/folder", ""))
def test_destination_nofollow_is_made(it, value):
    place, name = value
    made = it.bundle().mount(place, "bind", folder(it, "src", "inside") + name, "bind", "dest-nofollow")
    equal(it.sh(f"cat {place}{'' if name else '/f'}", made), "inside")


@only("langsbx")
def test_destination_nofollow_of_cgroups_is_refused(it):
    it.run(it.bundle("true").mount("/sys/fs/cgroup", "cgroup", "cgroup", "dest-nofollow")).fails("dest-nofollow")


@each(many=(200, 128), few=(50, 20))
def test_more_sources_than_open_files(it, value):
    """The limit is the program's: it comes when the mounts are there, and is in force then."""
    number, limit = value
    path = folder(it, "src", "x")
    made = it.bundle().user_namespace()
    made.process["rlimits"] = [{"type": "RLIMIT_NOFILE", "soft": limit, "hard": limit}]
    for each_one in range(number):
        made.mount(f"/many/{each_one}", "bind", path, "bind")
    equal(it.sh("grep -c ' /many/' /proc/mounts; ulimit -n; ulimit -Hn", made).split(), [str(number), str(limit), str(limit)])


def test_more_sources_than_the_callers_soft_limit(it):
    path = folder(it, "src", "x")
    made = it.bundle().user_namespace()
    for number in range(100):
        made.mount(f"/many/{number}", "bind", path, "bind")
    made.shell("grep -c ' /many/' /proc/mounts; ulimit -n; ulimit -Hn").write()
    command = it.rt.argv("run", "--bundle", made.path, it.id())
    done = it.rt(argv=["sh", "-c", 'ulimit -Sn 64; exec "$@"', "sh", *command])
    hard = subprocess.run(["sh", "-c", "ulimit -Hn"], capture_output=True, text=True, check=True).stdout.strip()
    equal(done.ok().out.split(), ["100", "64", hard])


def test_a_higher_limit_of_open_files(it):
    made = it.bundle()
    made.process["rlimits"] = [{"type": "RLIMIT_NOFILE", "soft": 700, "hard": 900}]
    equal(it.sh("ulimit -n; ulimit -Hn", made).split(), ["700", "900"])


@only("langsbx")
def test_a_pipe_at_a_mount_point_holds_nobody(it):
    """Somebody on a shared volume makes a pipe where create makes the mount point, again and again."""
    volume = folder(it, "volume")
    os.chmod(volume, 0o777)
    place, stop = f"{volume}/place", threading.Event()

    def race():
        while not stop.is_set():
            try:
                os.mkfifo(place)
                os.unlink(place)
            except OSError:
                time.sleep(0)

    racer = threading.Thread(target=race)
    racer.start()
    try:
        made = it.bundle("true").mount("/v", "bind", volume, "bind").mount("/v/place", "bind", folder(it, "s", "x") + "/f", "bind")
        made.write()
        for number in range(60):
            # It may fail, when the place is gone again; it may not wait.
            it.rt("run", "--bundle", made.path, it.id(f"r{number}"), timeout=20)
            try:
                os.unlink(place)
            except OSError:
                pass
    finally:
        stop.set()
        racer.join()


@only("langsbx")
def test_user_namespace_without_mappings_as_crun(it):
    it.run(it.bundle("true").namespace("user")).fails("no uid or gid mapping found")
    call_it_crun(it)
    made = it.bundle().namespace("user")
    contains(it.sh("cat /proc/self/uid_map /proc/self/gid_map", made).split(), "4294967295")


@only("langsbx")
@each(folder=("bind", "/proc/tty"), below=("bind", "/proc"), tmpfs=("tmpfs", "/proc/tty"), file=("file", "/proc/version"))
def test_a_link_of_the_image_leads_no_volume_into_proc(it, what):
    """/data of the image is a link; whoever names a volume's place does not know it."""
    kind, target = what
    made = it.bundle("sh", "-c", "cat /proc/version; ls /proc/tty")
    os.symlink(target, f"{made.rootfs}/data")
    source = folder(it, "src", "volume\n")
    place = "/data/tty" if target == "/proc" else "/data"
    if kind == "tmpfs":
        made.mount(place, "tmpfs", "tmpfs")
    else:
        made.mount(place, "bind", source if kind == "bind" else f"{source}/f", "bind")
    result = it.run(made).fails("inside /proc")
    expect("volume" not in result.out, result.out)
