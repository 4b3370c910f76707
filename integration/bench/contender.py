"""Who is measured: each runtime with bundles, state and cgroups of its own, for one run of the bench."""
import copy
import json
import os
import shutil
import subprocess
import time

from harness import bundle, host

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))


LANES = range(8)  # as many containers at a time as the section parallel runs


class Lab:
    """The scratch folder, the helpers built into it, the cgroups of this run; undone by close()."""

    def __init__(self, folder):
        self.folder = folder
        self.cgroup = f"langsbx-bench-{os.getpid()}"
        # As /run is: on a disk's file system the making of inodes would be most of what is measured.
        self.states = f"{folder}/run"
        os.mkdir(self.states)
        host.mount("states", self.states, "tmpfs", 0, "mode=755,size=256m")
        self.template = f"{folder}/template"
        os.mkdir(self.template)
        bundle.make_template(self.template)
        self.meter = self.build("meter")
        self.floor = self.installed(self.build("floor"))

    def build(self, name):
        target = f"{self.folder}/{name}"
        subprocess.run(["gcc", "-O2", "-static", "-Wall", "-o", target, f"{HERE}/{name}.c"], check=True)
        return target

    def installed(self, path):
        """A copy, as `install` makes one. How a program's file came into the page cache decides a tenth of its start:
        a linker writes it in small pieces, which are mapped one by one. So everybody is measured from a fresh copy."""
        target = f"{self.folder}/bin/{os.path.basename(path)}"
        os.makedirs(os.path.dirname(target), exist_ok=True)
        return shutil.copy(path, target)

    def close(self):
        """Also what a killed runtime left: processes in the cgroups of this run, then the cgroups."""
        for _ in range(50):
            if all([remove_cgroup(f"{top}/{self.cgroup}{end}") for top in cgroup_roots() for end in ("", *(f"-floor{n}" for n in LANES))]):
                break
            time.sleep(0.1)  # what was killed is still dying
        for name in os.listdir("/sys/fs/cgroup"):  # Podman and runsc write where no hierarchy is mounted, too
            if not os.path.exists(f"/sys/fs/cgroup/{name}/cgroup.procs"):
                shutil.rmtree(f"/sys/fs/cgroup/{name}/{self.cgroup}", ignore_errors=True)
        subprocess.run(["umount", self.states], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


def remove_cgroup(top):
    """True when it is gone."""
    for folder, _, _ in os.walk(top, topdown=False):
        end_members(folder)
        try:
            os.rmdir(folder)
        except OSError:
            return False
    return True


def cgroup_roots():
    root = "/sys/fs/cgroup"
    if os.path.exists(f"{root}/cgroup.procs"):
        return [root]
    return [f"{root}/{name}" for name in os.listdir(root) if os.path.exists(f"{root}/{name}/cgroup.procs")]


def end_members(folder):
    try:
        with open(f"{folder}/cgroup.procs", encoding="ascii") as handle:
            for pid in handle.read().split():
                os.kill(int(pid), 9)
    except OSError:
        pass


class Contender:
    """A command-line compatible runtime: langsbx, crun, runc, runsc."""

    oci = True

    def __init__(self, lab, name, path, *options):
        self.lab, self.name, self.path = lab, name, path
        self.folder = f"{lab.folder}/{name}"
        os.makedirs(self.folder)
        self.root = f"{lab.states}/{name}"
        self.options = list(options)
        self.plain = bundle.Bundle(f"{self.folder}/plain", lab.template, f"/{lab.cgroup}/{name}")
        self.plain.args("/bin/true").namespace("cgroup").write()
        self.serial = 0

    def words(self, *words):
        return [self.path, "--root", self.root, *self.options, *words]

    def call(self, *words):
        # No pipes: a detached container would hold their other end.
        return subprocess.run(self.words(*words), stdin=subprocess.DEVNULL, check=True, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=60)

    def next_id(self):
        self.serial += 1
        return f"b{os.getpid()}x{self.serial}"

    def variant(self, name, change):
        """Another config.json for the same root file system; its folder."""
        folder = f"{self.folder}/{name}"
        os.makedirs(folder, exist_ok=True)
        config = copy.deepcopy(self.plain.config)
        config["root"]["path"] = self.plain.rootfs
        config["linux"]["cgroupsPath"] = f"/{self.lab.cgroup}/{self.name}-{name}"
        change(config)
        with open(f"{folder}/config.json", "w", encoding="utf-8") as handle:
            json.dump(config, handle)
        return folder

    def run_words(self, folder=None):
        return self.words("run", "--bundle", folder or self.plain.path, self.next_id())

    def lane_words(self, lane):
        """Those of a bundle of its own; the name of the container comes behind them."""
        def change(config):
            config["linux"]["cgroupsPath"] += f"-{lane}"
        return self.words("run", "--bundle", self.variant(f"lane{lane}", change))

    def lifecycle_words(self):
        name = self.next_id()
        return [*self.words("create", "--bundle", self.plain.path, name), "::", *self.words("start", name), "::",
                "@reap", "::", *self.words("delete", name)]

    def start_box(self):
        """A container that sleeps, for exec."""
        def sleeps(config):
            config["process"]["args"] = ["sleep", "100000"]
        self.call("run", "--detach", "--bundle", self.variant("box", sleeps), "box")

    def exec_words(self):
        return self.words("exec", "box", "/bin/true")

    def stop_box(self):
        subprocess.run(self.words("delete", "--force", "box"), check=False, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Floor:
    """The bare program: only the system calls."""

    oci = False

    def __init__(self, lab):
        self.lab, self.name, self.path = lab, "floor", lab.floor
        self.rootfs = f"{lab.folder}/floor-rootfs"
        subprocess.run(["cp", "-a", lab.template, self.rootfs], check=True)

    def run_words(self, lane=0):
        return [self.path, self.rootfs, f"{self.lab.cgroup}-floor{lane}", "/bin/true"]

    def lane_words(self, lane):
        return self.run_words(lane)


class Bubblewrap:
    """Not a runtime: no config, no cgroups, no state. The nearest command line to the same container."""

    oci = False

    def __init__(self, lab, path):
        self.name, self.path = "bubblewrap", path
        self.rootfs = f"{lab.folder}/bubblewrap-rootfs"
        subprocess.run(["cp", "-a", lab.template, self.rootfs], check=True)

    def run_words(self):
        return [self.path, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup",
                "--hostname", "box", "--bind", self.rootfs, "/", "--proc", "/proc", "--dev", "/dev", "--mqueue",
                "/dev/mqueue", "--cap-drop", "ALL", "--", "/bin/true"]


def works(contender, words):
    """None, or why this machine can't run it."""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode == 0:
        return None
    text = (done.stderr or done.stdout).strip().splitlines()
    return f"{contender.name}: {text[-1][:200] if text else done.returncode}"


def find(lab, runtime, wanted):
    """The contenders that run here, langsbx first; and the reasons of the others."""
    made, reasons = [], []
    for name in wanted:
        path = runtime if name == "langsbx" else shutil.which({"bubblewrap": "bwrap"}.get(name, name))
        if name == "floor":
            one = Floor(lab)
        elif path is None:
            reasons.append(f"{name}: not installed")
            continue
        elif name == "bubblewrap":
            one = Bubblewrap(lab, lab.installed(path))
        else:
            one = Contender(lab, name, path if name == "langsbx" else lab.installed(path), *(["--network=none"] if name == "runsc" else []))
        reason = works(one, one.run_words())
        if reason is None:
            made.append(one)
        else:
            reasons.append(reason)
    return made, reasons
