"""mounts: order, kinds, every option, propagation, masks, the root."""
import os
import subprocess

from harness.case import Skip, contains, each, equal, expect, needs

FIND = "awk -v d=%s '$5==d{print $6; for(i=7;$i!=\"-\";i++) print $i; print $(i+1), $(i+3)}' /proc/self/mountinfo"


def line(it, made, where="/m"):
    """Mount options, optional fields, then type and super block options of the last mount there."""
    return it.sh(FIND % where, made)


def source(it, name="src"):
    path = f"{it.folder}/{name}"
    os.makedirs(path, exist_ok=True)
    os.chmod(path, 0o777)
    return path


@each(bind="bind", rbind="rbind")
def test_bind(it, option):
    path = source(it)
    with open(path + "/f", "w", encoding="ascii") as handle:
        handle.write("inside")
    equal(it.sh("cat /m/f", it.bundle().mount("/m", "bind", path, option)), "inside")


def test_bind_without_option_is_no_bind(it):
    it.run(it.bundle("true").mount("/m", "bind", source(it))).fails()


def test_bind_file(it):
    path = source(it) + "/f"
    with open(path, "w", encoding="ascii") as handle:
        handle.write("file")
    equal(it.sh("cat /etc/deep/f", it.bundle().mount("/etc/deep/f", "bind", path, "bind")), "file")


def test_bind_missing_source(it):
    it.run(it.bundle("true").mount("/m", "bind", it.folder + "/nothing", "bind")).fails("nothing")


@each(ro="ro", nosuid="nosuid", nodev="nodev", noexec="noexec", noatime="noatime", nodiratime="nodiratime",
      relatime="relatime")
def test_bind_option(it, option):
    contains(line(it, it.bundle().mount("/m", "bind", source(it), "bind", option)).split()[0].split(","), option)


@each(ro="ro", nosuid="nosuid", nodev="nodev", noexec="noexec", noatime="noatime", nodiratime="nodiratime", sync="sync",
      dirsync="dirsync", mand="mand", lazytime="lazytime", nosymfollow="nosymfollow")
def test_tmpfs_option(it, option):
    made = it.bundle().mount("/m", "tmpfs", "tmpfs", option)
    if option == "mand":  # kernels from 5.15 take it and forget it
        it.sh("true", made)
        return
    words = line(it, made).replace(" ", ",").replace("\n", ",").split(",")
    contains(words, option)


@each(strictatime=("strictatime", "relatime"), norelatime=("norelatime,strictatime", "relatime"),
      suid=("nosuid,suid", "nosuid"), dev=("nodev,dev", "nodev"), exec_=("noexec,exec", "noexec"),
      rw=("ro,rw", "ro"), atime=("noatime,atime", "noatime"), diratime=("nodiratime,diratime", "nodiratime"),
      async_=("sync,async", "sync"), symfollow=("nosymfollow,symfollow", "nosymfollow"))
def test_clearing_option(it, value):
    options, gone = value
    out = line(it, it.bundle().mount("/m", "tmpfs", "tmpfs", *options.split(",")))
    expect(gone not in out.replace("\n", ",").replace(" ", ",").split(","), f"{gone} stayed: {out}")


@each(defaults="defaults", loud="loud", nomand="nomand", nolazytime="nolazytime", silent="silent",
      noiversion="noiversion", nostrictatime="nostrictatime")
def test_accepted_option(it, option):
    it.sh("true", it.bundle().mount("/m", "tmpfs", "tmpfs", option))


@needs("kernel:5.12")
@each(rro="ro", rnosuid="nosuid", rnodev="nodev", rnoexec="noexec", rnoatime="noatime", rnosymfollow="nosymfollow")
def test_recursive_option(it, plain):
    outer = source(it)
    os.mkdir(outer + "/sub")
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", outer + "/sub"], check=True)
    try:
        out = line(it, it.bundle().mount("/m", "bind", outer, "rbind", "r" + plain), "/m/sub")
        contains(out.splitlines()[0].split(","), plain)
    finally:
        subprocess.run(["umount", outer + "/sub"], check=True)


def test_ro_bind_is_not_recursive(it):
    outer = source(it)
    os.mkdir(outer + "/sub")
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", outer + "/sub"], check=True)
    try:
        it.sh("! touch /m/x 2>/dev/null && touch /m/sub/x", it.bundle().mount("/m", "bind", outer, "rbind", "ro"))
    finally:
        subprocess.run(["umount", outer + "/sub"], check=True)


def test_tmpfs_data(it):
    out = line(it, it.bundle().mount("/m", "tmpfs", "tmpfs", "size=1m", "mode=700", "uid=7"))
    for part in ("size=1024k", "mode=700", "uid=7"):
        contains(out, part)


def test_tmpcopyup(it):
    made = it.bundle().mount("/etc", "tmpfs", "tmpfs", "tmpcopyup")
    contains(it.sh("cat /etc/passwd; ls -ld /etc", made), "root:x:0")
    expect(os.path.exists(made.rootfs + "/etc/passwd"), "the source is gone")


def test_order(it):
    made = it.bundle().mount("/m", "tmpfs").mount("/m/a", "tmpfs", "second").mount("/m", "tmpfs", "third")
    contains(it.sh("ls /m | wc -l", made), "0")


def test_destination_is_made(it):
    made = it.bundle().mount("/new/deep/place", "tmpfs")
    contains(it.sh("ls -d /new/deep/place", made), "/new/deep/place")


def test_relative_destination(it):
    contains(it.sh("grep ' /rel tmpfs' /proc/mounts", it.bundle().mount("rel", "tmpfs")), "/rel")


def test_symlink_in_destination_stays_inside(it):
    made = it.bundle()
    os.symlink("/etc/../../../../tmp", made.rootfs + "/link")
    contains(it.sh("grep tmpfs /proc/mounts; ls /", made.mount("/link/inner", "tmpfs")), "/tmp/inner")
    expect(os.path.isdir(made.rootfs + "/tmp/inner"), "made somewhere else")


@each(file=False, folder=True)
def test_over_links_to_nowhere(it, folder):
    """Images have /etc/resolv.conf as a link into an empty /run, over which engines mount theirs."""
    made = it.bundle()
    os.makedirs(f"{made.rootfs}/etc", exist_ok=True)
    os.symlink("../jump/deep", f"{made.rootfs}/etc/resolv")
    os.symlink("/run/somewhere", f"{made.rootfs}/jump")
    source_path = f"{it.folder}/given"
    if folder:
        os.mkdir(source_path)
    with open(source_path + ("/file" if folder else ""), "w", encoding="ascii") as handle:
        handle.write("given")
    made.mount("/etc/resolv", "bind", source_path, "bind")
    equal(it.sh("cat /run/somewhere/deep" + ("/file" if folder else ""), made), "given")


@each(private=("private", ""), slave=("rslave", "master"), shared=("shared", "shared"))
def test_propagation(it, value):
    option, wanted = value
    outer = source(it)
    subprocess.run(["mount", "--bind", outer, outer], check=True)
    subprocess.run(["mount", "--make-shared", outer], check=True)
    try:
        out = line(it, it.bundle().mount("/m", "bind", outer, "rbind", option))
        if wanted:
            contains(out, wanted)
        else:
            expect("shared" not in out and "master" not in out, out)
    finally:
        subprocess.run(["umount", "-l", outer], check=True)


def test_unbindable(it):
    contains(line(it, it.bundle().mount("/m", "tmpfs", "tmpfs", "unbindable")), "unbindable")


def test_slave_sees_later_mounts(it):
    outer = source(it)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", outer], check=True)
    subprocess.run(["mount", "--make-shared", outer], check=True)
    os.mkdir(outer + "/late")
    try:
        made = it.bundle("sleep", "1000").mount("/m", "bind", outer, "rbind", "rslave")
        made.linux["rootfsPropagation"] = "rslave"
        box = it.started(made)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", outer + "/late"], check=True)
        contains(it.rt("exec", box, "cat", "/proc/mounts").ok().out, "/m/late")
    finally:
        subprocess.run(["umount", "-R", "-l", outer], check=False)


@each(shared="shared", slave="master", private="", unbindable="unbindable")
def test_rootfs_propagation(it, field):
    made = it.bundle()
    made.linux["rootfsPropagation"] = {"shared": "shared", "master": "slave", "": "private"}.get(field, field)
    out = line(it, made, "/")
    if field in ("shared", "unbindable"):
        contains(out, field)
    elif field == "":
        expect("shared:" not in out and "master:" not in out, out)


def test_readonly_root(it):
    made = it.bundle()
    made.config["root"]["readonly"] = True
    contains(it.sh("touch /x 2>&1 || echo refused", made), "refused")


def test_masked_twice_is_one_mount(it):
    made = it.bundle()
    os.makedirs(f"{made.rootfs}/hidden")
    made.linux["maskedPaths"] = ["/hidden", "/hidden"]
    equal(it.sh("grep -c ' /hidden ' /proc/mounts", made), "1")


def test_masked_file_and_folder(it):
    made = it.bundle().file("/secret", "x").file("/dir/f", "y")
    made.linux["maskedPaths"] = ["/secret", "/dir", "/not/there"]
    equal(it.sh("cat /secret; ls /dir; touch /dir/x 2>/dev/null || echo ro", made), "ro")


def test_readonly_paths(it):
    made = it.bundle().file("/dir/f", "y")
    made.linux["readonlyPaths"] = ["/dir", "/not/there"]
    equal(it.sh("cat /dir/f; echo; touch /dir/x 2>/dev/null || echo ro", made), "y\nro")


def mounts_at(it, made, *places):
    """Options of what is mounted on top at each place; "" where nothing is."""
    found = dict(each.split()[4:6] for each in it.sh("cat /proc/self/mountinfo", made).splitlines())
    return [found.get(place, "").split(",")[0] for place in places]


@each(hidden="private", shared="shared")
def test_links_of_procfs_are_covered_where_they_lead(it, propagation):
    made = it.bundle()
    made.linux["rootfsPropagation"] = propagation
    made.linux["maskedPaths"], made.linux["readonlyPaths"] = ["/proc/net"], ["/proc/mounts", "/proc/irq"]
    equal(mounts_at(it, made, "/proc/1/net", "/proc/1/mounts", "/proc/irq", "/proc/net"), ["ro", "ro", "ro", ""])
    equal(it.sh("ls /proc/1/net", made).strip(), "")


@each(hidden="private", shared="shared")
def test_masks_in_and_outside_of_procfs(it, propagation):
    made = it.bundle().file("/dir/f", "y").file("/more/f", "y")
    made.linux["rootfsPropagation"] = propagation
    for masked in (["/proc/bus", "/dir", "/proc/irq", "/more"], ["/dir", "/proc/bus", "/more", "/proc/irq"]):
        made.linux["maskedPaths"] = [*masked, "/proc/uptime", "/proc/nothing"]
        out = it.sh("ls /dir /more /proc/bus /proc/irq | grep -v :; cat /proc/uptime; touch /dir/x 2>/dev/null || echo ro; "
                    "grep -c ' - tmpfs none ro,size=4k,nr_inodes=2' /proc/self/mountinfo", made)
        equal([word for word in out.split() if word], ["ro", "4"])


def test_masks_where_proc_is_no_procfs(it):
    made = it.bundle().file("/fake/keys", "x").file("/fake/bus/f", "y")
    made.config["mounts"] = [each for each in made.config["mounts"] if each["destination"] != "/proc"]
    os.rmdir(made.rootfs + "/proc")
    os.rename(made.rootfs + "/fake", made.rootfs + "/proc")
    made.linux["maskedPaths"], made.linux["readonlyPaths"] = ["/proc/keys", "/proc/acpi"], ["/proc/bus", "/proc/irq"]
    equal(it.sh("cat /proc/keys /proc/bus/f; echo; touch /proc/bus/x 2>/dev/null || echo ro", made), "y\nro")


def test_few_open_files(it):
    made = it.bundle()
    made.process["rlimits"] = [{"type": "RLIMIT_NOFILE", "soft": 12, "hard": 12}]
    for number in range(40):
        os.makedirs(f"{made.rootfs}/masked/{number}")
        made.linux["maskedPaths"].append(f"/masked/{number}")
        made.mount(f"/many/{number}", "tmpfs", "tmpfs", "size=64k")
    equal(it.sh("grep -c -e ' /masked/' -e ' /many/' /proc/mounts", made), "80")


@each(mqueue=("/q", "mqueue"), proc=("/p", "proc"), sysfs=("/s", "sysfs"))
def test_kernel_filesystem(it, value):
    where, kind = value
    contains(it.sh("cat /proc/mounts", it.bundle().mount(where, kind)), f" {where} {kind} ")


def test_unknown_filesystem(it):
    it.run(it.bundle("true").mount("/m", "nosuchfs")).fails("/m")


def test_unknown_option_goes_to_filesystem(it):
    it.run(it.bundle("true").mount("/m", "tmpfs", "tmpfs", "nosuchoption=3")).fails()


@needs("kernel:5.12")
def test_idmapped_bind(it):
    path = source(it)
    if subprocess.run(["stat", "-f", "-c", "%T", path], capture_output=True, text=True, check=True).stdout.strip() == "overlayfs":
        raise Skip("overlayfs can't be idmapped")
    with open(path + "/f", "w", encoding="ascii") as handle:
        handle.write("x")
    mapping = [{"containerID": 0, "hostID": 5000, "size": 65536}]
    made = it.bundle().mount("/m", "bind", path, "bind", uidMappings=mapping, gidMappings=mapping)
    result = it.run(made.shell("stat -c '%u:%g' /m/f"))
    if it.rt.name != "langsbx" and result.code != 0:
        raise Skip(f"{it.rt.name} cannot: {result.text.strip()[-100:]}")
    equal(result.ok().out.strip(), "5000:5000")


def test_bind_over_proc_entry_refused_or_masked(it):
    path = source(it) + "/fake"
    with open(path, "w", encoding="ascii") as handle:
        handle.write("fake")
    it.run(it.bundle("true").mount("/proc/self/attr/exec", "bind", path, "bind")).fails("/proc")


def test_hundred_mounts(it):
    made = it.bundle()
    for number in range(100):
        made.mount(f"/many/{number}", "tmpfs", "tmpfs", "size=64k")
    equal(it.sh("grep -c ' /many/' /proc/mounts", made), "100")
