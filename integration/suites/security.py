"""One attack per known fault of container runtimes, named as in SECURITY.md; each must fail to get out."""
import json
import os
import subprocess

from harness.case import Failure, contains, each, equal, expect, needs, only, slow
from harness.runtime import read


@each(attr="/proc/self/attr", thread="/proc/thread-self/attr", proc="/proc")
def test_fake_proc_attr(it, where):
    """CVE-2019-16884, 19921: a mount over /proc must not turn label writes into writes of a fake file."""
    fake = f"{it.folder}/fake"
    os.makedirs(f"{fake}/self/attr")
    for name in ("exec", "self/attr/exec", "current"):
        os.makedirs(os.path.dirname(f"{fake}/{name}"), exist_ok=True)
        open(f"{fake}/{name}", "w", encoding="ascii").close()
    made = it.bundle("true").mount(where, "bind", fake, "bind")
    made.process["apparmorProfile"] = "some-profile"
    it.run(made).fails()
    for folder, _, names in os.walk(fake):
        for name in names:
            equal(os.path.getsize(f"{folder}/{name}"), 0, f"what was written to the fake {name}")


@each(proc="/proc", sys="/sys")
def test_proc_symlink(it, where):
    """CVE-2023-27561, 28642: /proc or /sys in the image is a link."""
    made = it.bundle("true")
    os.rmdir(made.rootfs + where)
    os.mkdir(made.rootfs + "/elsewhere")
    os.symlink("/elsewhere", made.rootfs + where)
    it.run(made).fails(where)


@each(outside="/tmp", relative="../../../tmp", self_="/proc/self/cwd")
def test_dev_symlink(it, target):
    """CVE-2026-41579, 47766: /dev in the image is a link to the host."""
    trap = f"{it.folder}/trap"
    os.mkdir(trap)
    made = it.bundle("true")
    made.config["mounts"] = [m for m in made.config["mounts"] if not m["destination"].startswith("/dev")]
    os.rmdir(made.rootfs + "/dev")
    os.symlink(trap if target == "/tmp" else target, made.rootfs + "/dev")
    it.run(made)
    equal(os.listdir(trap), [], "made on the host")
    for name in ("null", "ptmx", "fd", "console"):
        expect(not os.path.lexists(f"/tmp/{name}"), f"/tmp/{name} was made on the host")


@slow(90)
def test_mount_dst_race(it):
    """CVE-2021-30465: a destination that is exchanged for a link while mounts are made."""
    shared = f"{it.folder}/shared"
    os.makedirs(f"{shared}/dir")
    target = f"{it.folder}/target"
    os.mkdir(target)
    os.symlink("/" + os.path.relpath(target, "/"), f"{shared}/link")
    swapper = it.background([it.probe("swapper"), f"{shared}/dir", f"{shared}/link"])
    for round_number in range(15):
        made = it.bundle(shell="cat /proc/self/mountinfo")
        made.mount("/shared", "bind", shared, "rbind").mount("/shared/dir", "tmpfs")
        result = it.run(made, suffix=f"r{round_number}")
        with open("/proc/self/mountinfo", encoding="utf-8") as handle:
            expect(target not in handle.read(), "mounted on the host")
        # What was mounted outside of the root is not in the container's list, and went with the old root.
        inside = [l for l in result.out.splitlines() if " tmpfs " in l and (" /shared/" in l or f" {target} " in l)]
        expect(result.code != 0 or inside, f"mounted outside of the root: {result.out}")
    swapper.kill()


@slow(90)
def test_mkdir_race(it):
    """CVE-2024-45310: directories made for a mount point must not appear on the host."""
    shared = f"{it.folder}/shared"
    os.makedirs(f"{shared}/dir")
    target = f"{it.folder}/target"
    os.mkdir(target)
    os.symlink(target, f"{shared}/link")
    swapper = it.background([it.probe("swapper"), f"{shared}/dir", f"{shared}/link"])
    for round_number in range(15):
        made = it.bundle("true").mount("/shared", "bind", shared, "rbind")
        made.mount(f"/shared/dir/new{round_number}/deep", "tmpfs")
        it.run(made, suffix=f"r{round_number}")
    swapper.kill()
    equal(os.listdir(target), [], "made on the host")


CWD = {f"fd{n}": f"/proc/self/fd/{n}" for n in range(3, 12)}


@each(**CWD)
def test_cwd_proc_fd(it, path):
    """CVE-2024-21626: a working directory through a descriptor that was left open."""
    made = it.bundle(shell="pwd; ls ../../../../../../etc/hostname; ls -d ../../../../../../work ../../../../../../boot")
    made.process["cwd"] = path
    result = it.run(made)
    if result.code == 0 and "/boot" in result.out:
        raise Failure(f"the host is seen from {path}: {result.out}")


@each(fd3="/proc/self/fd/3", fd7="/proc/self/fd/7", fd8="/proc/self/fd/8", fd9="/proc/self/fd/9")
def test_cwd_proc_fd_exec(it, path):
    result = it.rt("exec", "--cwd", path, it.started(), "sh", "-c", "ls -d ../../../../../../boot")
    expect("boot" not in result.out, result.out)


def test_cwd_caller_fd(it):
    """A directory that the caller left open is no way out either."""
    fd = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
    os.dup2(fd, 9)
    os.set_inheritable(9, True)
    made = it.bundle(shell="ls -d /proc/self/fd/9/boot boot 2>/dev/null")
    made.process["cwd"] = "/proc/self/fd/9"
    result = it.run(made, pass_fds=(9,))
    expect("boot" not in result.out, result.out)


@only("langsbx")
@needs("landlock:2")
@each(stdin=0, stdout=1, stderr=2)
def test_a_directory_as_a_stream_shows_nothing(it, number):
    """A standard stream that is a directory of the host: nothing in it can be read, and it keeps its owner."""
    folder = f"{it.folder}/of-the-host"
    os.mkdir(folder, 0o755)
    with open(f"{folder}/secret", "w", encoding="ascii") as handle:
        handle.write("hush\n")
    made = it.bundle(shell=f"(head -n 1 /proc/1/fd/{number}/secret) > /tmp/seen 2> /tmp/why; true")
    made.process["user"] = {"uid": 1000, "gid": 1000}
    made.write()
    streams = [subprocess.DEVNULL] * 3
    streams[number] = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    words = it.rt.argv("run", "--bundle", made.path, it.id())
    subprocess.run(words, stdin=streams[0], stdout=streams[1], stderr=streams[2], check=False, timeout=60)
    os.close(streams[number])
    equal(os.stat(folder).st_uid, 0)
    equal(read(f"{made.rootfs}/tmp/seen"), "")
    contains(read(f"{made.rootfs}/tmp/why"), "Permission denied")


@only("langsbx")
@each(create="create", exec="exec")
def test_a_filter_that_does_not_load_stops_the_start(it, where):
    """The kernel takes no seccomp filter any more: the program does not run without its own."""
    made = it.bundle("touch", "/ran") if where == "create" else it.bundle("sleep", "1000")
    made.process["noNewPrivileges"] = True
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "architectures": ["SCMP_ARCH_X86_64"]}
    made.write()
    words = it.rt.argv("run", "--bundle", made.path, it.id())
    if where == "exec":
        words = it.rt.argv("exec", it.started(made), "touch", "/ran")
    it.rt(argv=[it.probe("refuse_filters"), *words]).fails("seccomp linux.seccomp: ")
    expect(not os.path.exists(made.rootfs + "/ran"), "the program ran without its filter")


def test_inheritable_zero(it):
    """CVE-2022-29162: inheritable capabilities stay empty unless they are asked for."""
    contains(it.sh("grep CapInh /proc/self/status"), "0000000000000000")
    box = it.started(suffix="d")
    contains(it.rt("exec", "--cap", "CAP_NET_ADMIN", box, "grep", "CapInh", "/proc/self/status").ok().out, "0000000000000000")


def test_mask_source_is_the_hosts_null(it):
    """CVE-2025-31133: /dev is bound, and its null is somebody else's: no mask is made of it."""
    fake = f"{it.folder}/dev"
    os.mkdir(fake)
    with open(f"{fake}/null", "w", encoding="ascii") as handle:
        handle.write("trap")
    made = it.bundle(shell="cat /secret; true")
    made.config["mounts"] = [m for m in made.config["mounts"] if not m["destination"].startswith("/dev")]
    made.mount("/dev", "bind", fake, "bind").file("/secret", "hidden").linux["maskedPaths"] = ["/secret"]
    result = it.run(made)
    expect("trap" not in result.out and "hidden" not in result.out, f"the mask is {result.out!r}")


@each(link="/proc/sys/kernel/core_pattern", sysrq="/proc/sysrq-trigger", file=None)
def test_mask_devnull_symlink(it, target):
    """CVE-2025-31133: the image's /dev/null is a link or a file; masks must not bind it."""
    # No 2>/dev/null: it would empty the trap. Of sysrq-trigger nothing can be read; its mount is seen.
    made = it.bundle(shell="cat /secret | head -c 100; grep ' /secret ' /proc/self/mountinfo")
    made.config["mounts"] = [m for m in made.config["mounts"] if not m["destination"].startswith("/dev")]
    made.file("/secret", "hidden").linux["maskedPaths"] = ["/secret"]
    if target:
        os.symlink(target, made.rootfs + "/dev/null")
    else:
        made.file("/dev/null", "trap")
    result = it.run(made)
    for word in ("hidden", "core", "trap", "sysrq"):
        expect(word not in result.out, result.out)


def test_mask_race_target_is_not_masked_as_writable(it):
    made = it.bundle(shell="echo x > /proc/kcore && cat /proc/kcore | head -c 5")
    result = it.run(made)
    equal(result.out, "", "a masked file holds what was written to it")


@each(console="/dev/console", ptmx="/dev/ptmx", null="/dev/null")
def test_console_symlink(it, name):
    """CVE-2025-52565: default nodes in the image are links to /proc files."""
    import socket
    made = it.bundle("true")
    made.config["mounts"] = [m for m in made.config["mounts"] if m["destination"] != "/dev"]
    os.symlink("/proc/sys/kernel/core_pattern", made.rootfs + name)
    with open("/proc/sys/kernel/core_pattern", encoding="ascii") as handle:
        before = handle.read()
    path = f"{it.folder}/console-socket"
    made.process["terminal"] = True
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        created = it.create(made, "--console-socket", path)
        # The terminal lives as long as this end of the socket; a waiting init ends with it.
        if created.code == 0:
            with open(f"/proc/{it.rt.state(it.id())['pid']}/mountinfo", encoding="utf-8") as handle:
                places = [line.split()[4] for line in handle]
            expect(not [p for p in places if p.endswith("core_pattern")], "something was mounted where the link points")
    with open("/proc/sys/kernel/core_pattern", encoding="ascii") as handle:
        equal(handle.read(), before, "core_pattern")


def test_proc_write_redirect(it):
    """CVE-2025-52881: writes below /proc must not be led to another file by a mount of the image."""
    trap = f"{it.folder}/trap"
    os.makedirs(f"{trap}/sys/net")
    open(f"{trap}/sys/net/marker", "w", encoding="ascii").close()
    made = it.bundle("true").mount("/proc", "bind", trap, "bind")
    made.linux["sysctl"] = {"net.marker": "1"}
    made.linux["readonlyPaths"] = made.linux["maskedPaths"] = []
    it.run(made).fails()
    equal(os.path.getsize(f"{trap}/sys/net/marker"), 0, "what was written to the image's file")


@each(create_runtime="createRuntime", create_container="createContainer", prestart="prestart")
def test_hook_env_clean(it, kind):
    """CVE-2025-23266: a hook on the host's side never sees the image's environment."""
    out = f"{it.folder}/env"
    hook = f"{it.folder}/hook"
    with open(hook, "w", encoding="ascii") as handle:
        handle.write(f"#!/bin/sh\nenv > {out}\n")
    os.chmod(hook, 0o755)
    made = it.bundle("true").hook(kind, hook)
    made.process["env"] = ["PATH=/bin", "LD_PRELOAD=/evil.so", "IMAGE=yes"]
    it.run(made)
    with open(out, encoding="utf-8") as handle:
        text = handle.read()
    expect("IMAGE=yes" not in text and "evil.so" not in text, text)


@each(over=4294967296, minus=-1, invalid=4294967295)
def test_uid_overflow(it, uid):
    """CVE-2024-40635: an id outside the range must not wrap around to 0."""
    made = it.bundle("id", "-u")
    made.process["user"]["uid"] = uid
    result = it.run(made)
    expect(result.code != 0, f"ran as {result.out}")


def test_numeric_user_is_a_number(it):
    """CVE-2016-3697: a user of the image called "1000" with uid 0 changes nothing."""
    equal(it.rt("exec", "--user", "1000", it.started(), "id", "-u").ok().out, "1000\n")


@each(newline="net.ipv4.ip_forward\nkernel.panic", plus="kernel.shm_rmid_forced+kernel.core_pattern", slash="net/../kernel/panic",
      dotdot="net.ipv4.../kernel/panic")
def test_sysctl_injection(it, key):
    """CVE-2022-0811: no separator smuggles a second key in."""
    made = it.bundle("true")
    made.linux["sysctl"] = {key: "1"}
    it.run(made).fails()


@only("langsbx")
@each(start_pre="ExecStartPre", start="ExecStart", environment="Environment", user="User", root="RootDirectory")
def test_systemd_prop_exec(it, name):
    """CVE-2024-3154: an annotation must not set a unit property that runs something."""
    made = it.bundle("true")
    made.linux["cgroupsPath"] = f"system.slice:langsbx-it:{it.tag}"
    made.config["annotations"] = {f"org.systemd.property.{name}": "'x'"}
    it.rt.globals = ["--systemd-cgroup"]
    it.create(made).fails(name)


@only("langsbx")
def test_annotations_run_nothing(it):
    """CVE-2026-53488 and its kin: labels and annotations that name a program of the host start nothing."""
    trap, marker = f"{it.folder}/trap", f"{it.folder}/ran"
    with open(trap, "w", encoding="ascii") as handle:
        handle.write(f"#!/bin/sh\necho ran >> {marker}\n")
    os.chmod(trap, 0o755)
    made = it.bundle("true")
    names = ("run.oci.handler", "run.oci.hooks.stdout", "run.oci.hooks.stderr", "run.oci.mount_context_type",
             "run.oci.pidfd_receiver", "run.oci.seccomp.receiver", "run.oci.seccomp.plugins", "org.criu.config",
             "module.wasm.image/variant", "krun.variant", "io.kubernetes.cri.container-type", "bundle", "hooks")
    made.config["annotations"] = {name: trap for name in names}
    it.run(made)
    expect(not os.path.exists(marker), "a program of the host was started")


def test_no_abstract_sockets(it):
    """CVE-2020-15257: the runtime listens on no abstract socket."""
    def abstract():
        with open("/proc/net/unix", encoding="ascii", errors="replace") as handle:
            return {l.split()[-1] for l in handle if l.split()[-1].startswith("@")}
    before = abstract()
    made = it.bundle("sleep", "1000").without_namespace("network")  # so that the host would see it
    made.config["mounts"] = [m for m in made.config["mounts"] if m["type"] != "sysfs"]
    it.started(made)
    expect(not [n for n in abstract() - before if it.tag in n or "langsbx" in n], "an abstract socket")


def test_no_descriptors_of_the_runtime(it):
    out = it.sh("ls -l /proc/1/fd | grep -v -e '^total'; true")
    bad = [l for l in out.splitlines() if it.rt.root in l or "/sys/fs/cgroup" in l or "memfd" in l]
    equal(bad, [], "descriptors")
    names = it.sh("ls /proc/self/fd", it.bundle()).split()
    expect(set(names) <= {"0", "1", "2", "3"}, f"descriptors {names}")


def test_exec_no_descriptors_of_the_runtime(it):
    names = it.rt("exec", it.started(), "ls", "/proc/self/fd").ok().out.split()
    expect(set(names) <= {"0", "1", "2", "3"}, f"descriptors {names}")


@only("langsbx")
@each(passwd=("/etc/passwd", "true"), program=("/bin/program", "program"))
def test_a_pipe_holds_nobody(it, variant):
    """The container makes a pipe of a file that exec reads: nobody writes to it, and exec ends all the same."""
    path, program = variant
    made = it.bundle(shell=f"rm -f {path}; mkfifo -m 755 {path}; echo > /tmp/ready; exec sleep 1000")
    made.process["env"] = ["PATH=/bin"]  # without HOME: passwd tells it
    box = it.started(made)
    it.until("the pipe", lambda: os.path.exists(f"{made.rootfs}/tmp/ready"))
    result = it.rt("exec", box, program, timeout=30)
    equal(result.code == 0, program == "true", result.text)


def test_delegated_cgroup_dots(it):
    """As with the others `..` never leads above the hierarchy's root; to the root itself it is refused."""
    made = it.bundle("true")
    made.linux["cgroupsPath"] = f"/../../..{it.cgroup_path('dots')}/inner/.."
    result = it.create(made)
    if it.rt.name == "langsbx":
        result.ok()
    for base in ("/sys/fs", "/sys", ""):
        expect(not os.path.exists(base + it.cgroup_path("dots")), "a cgroup outside")
    if result.code == 0:
        it.rt("delete", "--force", it.id())
    made.linux["cgroupsPath"] = "/a/../.."
    if it.rt.name == "langsbx":
        it.create(made).fails("root cgroup")


def test_readonly_cgroup_mount(it):
    """CVE-2023-25809 and release_agent: without a cgroup namespace the mount is read-only."""
    made = it.bundle().mount("/sys/fs/cgroup", "cgroup", "cgroup", "nosuid", "noexec", "nodev", "ro")
    it.sh("for f in /sys/fs/cgroup/*/cgroup.procs /sys/fs/cgroup/cgroup.procs; do [ -e $f ] || continue; "
          "( echo 0 > $f ) 2>/dev/null && exit 9; done; true", made)


def test_state_folder_is_private(it):
    it.started()
    for folder in (it.rt.root, f"{it.rt.root}/{it.id()}"):
        equal(os.stat(folder).st_mode & 0o022, 0, f"{folder} writable by others")


def test_secrets_not_in_arguments(it):
    made = it.bundle("sleep", "1000")
    made.process["env"].append("SECRET=hush")
    box = it.started(made)
    pids = json.loads(it.rt("ps", "-f", "json", box).ok().out)
    for pid in pids:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8") as handle:
            expect("hush" not in handle.read(), "a secret in the arguments")
