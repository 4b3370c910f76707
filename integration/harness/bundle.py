"""Bundles made of busybox: a root file system and a config.json that a case edits as a dict."""
import copy
import json
import os
import shutil
import subprocess

DEFAULT_CAPS = ["CAP_AUDIT_WRITE", "CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID", "CAP_KILL",
                "CAP_MKNOD", "CAP_NET_BIND_SERVICE", "CAP_SETFCAP", "CAP_SETGID", "CAP_SETPCAP", "CAP_SETUID",
                "CAP_SYS_CHROOT"]

CONFIG = {
    "ociVersion": "1.0.2",
    "process": {
        "terminal": False, "user": {"uid": 0, "gid": 0}, "args": ["true"], "cwd": "/", "noNewPrivileges": False,
        "env": ["PATH=/bin", "HOME=/root"],
        "capabilities": {kind: DEFAULT_CAPS for kind in ("bounding", "effective", "permitted")},
    },
    "root": {"path": "rootfs", "readonly": False},
    "hostname": "box",
    "mounts": [
        {"destination": "/proc", "type": "proc", "source": "proc"},
        {"destination": "/dev", "type": "tmpfs", "source": "tmpfs",
         "options": ["nosuid", "strictatime", "mode=755", "size=65536k"]},
        {"destination": "/dev/pts", "type": "devpts", "source": "devpts",
         "options": ["nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "gid=5"]},
        {"destination": "/dev/shm", "type": "tmpfs", "source": "shm",
         "options": ["nosuid", "noexec", "nodev", "mode=1777", "size=65536k"]},
        {"destination": "/dev/mqueue", "type": "mqueue", "source": "mqueue", "options": ["nosuid", "noexec", "nodev"]},
        {"destination": "/sys", "type": "sysfs", "source": "sysfs", "options": ["nosuid", "noexec", "nodev", "ro"]},
    ],
    "linux": {
        "resources": {"devices": [{"allow": False, "access": "rwm"}]},
        "namespaces": [{"type": kind} for kind in ("pid", "network", "ipc", "uts", "mount")],
        "maskedPaths": ["/proc/acpi", "/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/timer_list",
                        "/proc/timer_stats", "/proc/sched_debug", "/proc/scsi", "/sys/firmware"],
        "readonlyPaths": ["/proc/asound", "/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
    },
}


def make_template(path):
    """The tree that each bundle's rootfs is copied from (hard links for the applets)."""
    for folder in ("bin", "dev", "etc", "home", "proc", "root", "sys", "tmp", "usr", "var", "run", "mnt"):
        os.makedirs(f"{path}/{folder}")
    os.chmod(f"{path}/tmp", 0o1777)
    os.symlink("../bin", f"{path}/usr/bin")
    os.symlink("bin", f"{path}/sbin")
    shutil.copy("/bin/busybox", f"{path}/bin/busybox")
    applets = subprocess.run(["/bin/busybox", "--list"], check=True, capture_output=True, text=True).stdout.split()
    for applet in applets:
        if applet != "busybox":
            os.symlink("busybox", f"{path}/bin/{applet}")
    with open(f"{path}/etc/passwd", "w", encoding="ascii") as handle:
        handle.write("root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n"
                     "user:x:1000:1000:u:/home:/bin/sh\n1000:x:0:0:trap:/root:/bin/sh\n")
    with open(f"{path}/etc/group", "w", encoding="ascii") as handle:
        handle.write("root:x:0:\ntty:x:5:\nnogroup:x:65534:\nuser:x:1000:\n")


class Bundle:
    """A folder with config.json and rootfs; `config` is written when the runtime is called."""

    def __init__(self, path, template, cgroups_path):
        self.path = path
        self.rootfs = f"{path}/rootfs"
        os.makedirs(path)
        os.chmod(path, 0o755)
        subprocess.run(["cp", "-a", template, self.rootfs], check=True)
        self.config = copy.deepcopy(CONFIG)
        self.config["linux"]["cgroupsPath"] = cgroups_path

    @property
    def process(self):
        return self.config["process"]

    @property
    def linux(self):
        return self.config["linux"]

    @property
    def resources(self):
        return self.config["linux"]["resources"]

    def args(self, *words):
        self.process["args"] = list(words)
        return self

    def shell(self, script):
        return self.args("sh", "-c", script)

    def mount(self, destination, fstype="bind", source=None, *options, **more):
        entry = {"destination": destination, "type": fstype, "source": source or fstype, "options": list(options)}
        entry.update(more)
        self.config["mounts"].append(entry)
        return self

    def namespace(self, kind, path=None):
        entry = {"type": kind} if path is None else {"type": kind, "path": path}
        self.linux["namespaces"] = [n for n in self.linux["namespaces"] if n["type"] != kind] + [entry]
        return self

    def without_namespace(self, kind):
        self.linux["namespaces"] = [n for n in self.linux["namespaces"] if n["type"] != kind]
        return self

    def user_namespace(self, host_id=100000, size=65536):
        self.namespace("user")
        mapping = [{"containerID": 0, "hostID": host_id, "size": size}]
        self.linux["uidMappings"], self.linux["gidMappings"] = mapping, mapping
        subprocess.run(["chown", "-hR", f"{host_id}:{host_id}", self.rootfs], check=True)
        return self

    def caps(self, *names):
        self.process["capabilities"] = {kind: list(names) for kind in ("bounding", "effective", "permitted")}
        return self

    def hook(self, kind, path, args=None, **more):
        entry = {"path": path, "args": args or [path], **more}
        self.config.setdefault("hooks", {}).setdefault(kind, []).append(entry)
        return self

    def file(self, inside, text, mode=0o644):
        target = self.rootfs + inside
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.lexists(target):
            os.unlink(target)
        with open(target, "w", encoding="utf-8") as handle:
            handle.write(text)
        os.chmod(target, mode)
        return self

    def write(self, text=None):
        with open(f"{self.path}/config.json", "w", encoding="utf-8") as handle:
            handle.write(json.dumps(self.config) if text is None else text)
        return self
