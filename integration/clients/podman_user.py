"""Podman as a user without root, who is known in this mount namespace only."""
import os
import pwd
import stat
import subprocess

from harness import host

from .podman import CASES as ROOTFUL
from .podman import GUARD as ROOTFUL_GUARD
from .podman import Podman

# Where there is systemd, a user whose manager runs; else one that is made for the run.
SYSTEMD = Podman.driver == "systemd"
USER, UID, SUBORDINATE = ("tester", 1000, 100000) if SYSTEMD else ("langsbx-it", 64321, 700000)


FOR_SCRIPTS = ("PATH", "RUNTIME", "V", "FOLDER", "SYSROOT", "LC_ALL", "SLOW", "REST", "P", "I", "B", "HOME", "USER", "LOGNAME",
               "XDG_CONFIG_HOME")


class PodmanUser(Podman):
    NAME = "podman-user"
    cgroups = ()
    END = Podman.END + "; podman system migrate"  # ends the process that keeps the user's namespace

    def add_user(self):
        """Copies of the user tables over the real ones, with one line more."""
        home = f"{self.folder}/home"
        os.makedirs(home)
        if SYSTEMD:
            return home
        lines = {"passwd": f"{USER}:x:{UID}:{UID}::{home}:/bin/sh", "group": f"{USER}:x:{UID}:",
                 "subuid": f"{USER}:{SUBORDINATE}:65536", "subgid": f"{USER}:{SUBORDINATE}:65536"}
        for name, line in lines.items():
            old = ""
            if os.path.exists(f"/etc/{name}"):
                with open(f"/etc/{name}", encoding="utf-8") as handle:
                    old = handle.read()
            with open(f"{self.folder}/{name}", "w", encoding="utf-8") as handle:
                handle.write(old + line + "\n")
            os.chmod(f"{self.folder}/{name}", 0o644)
            host.mount(f"{self.folder}/{name}", f"/etc/{name}", None, host.MS_BIND)
        pwd.getpwnam(USER)
        return home

    def open_tun(self):
        """Anybody may make tunnels where udev runs; here in this mount namespace only."""
        if not os.path.exists("/dev/net/tun"):
            return
        os.mknod(f"{self.folder}/tun", stat.S_IFCHR, os.makedev(10, 200))
        os.chmod(f"{self.folder}/tun", 0o666)
        host.mount(f"{self.folder}/tun", "/dev/net/tun", None, host.MS_BIND)

    def start(self):
        self.open_tun()
        home = self.add_user()
        self.settings()
        # Its own storage: the user's containers.conf stays the system's.
        os.makedirs(f"{home}/.config/containers")
        with open(f"{home}/.config/containers/storage.conf", "w", encoding="ascii") as handle:
            handle.write(f'[storage]\ndriver = "vfs"\ngraphroot = "{home}/root"\nrunroot = "{self.run_folder}/containers"\n')
        subprocess.run(["chown", "-R", f"{UID}:{UID}", home, f"{self.folder}/v", self.run_folder], check=True)
        rest = f"--cgroup-manager {self.driver} --events-backend file"
        runtime_dir = f"/run/user/{UID}" if SYSTEMD else self.run_folder
        self.env.update(REST=rest, SYSROOT="", HOME=home, USER=USER, LOGNAME=USER, XDG_RUNTIME_DIR=runtime_dir,
                        XDG_CONFIG_HOME=f"{home}/.config", P=f"podman --runtime {self.runtime} {rest}", I=f"podman --runtime langsbx {rest}",
                        B="buildah")
        os.chmod(self.folder, 0o755)
        self.images()

    def command(self, script):
        if SYSTEMD:
            # In a unit of the user's own manager, as a login would be.
            given = [f"--setenv={name}={self.env[name]}" for name in FOR_SCRIPTS]
            # A file: systemd would put its own meaning into the script's dollars.
            with open(f"{self.folder}/script", "w", encoding="utf-8") as handle:
                handle.write(super().command(script)[-1])
            # Not with the user's environment: systemd-run itself loses its connection then.
            return ["env", "-i", f"PATH={self.env['PATH']}", "systemd-run", "--user", f"--machine={USER}@.host", "--wait", "--pipe", "--quiet", "--collect", "--property=KillMode=process",
                    f"--working-directory={self.folder}", *given, "bash", handle.name]
        return ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups", "--inh-caps=-all", *super().command(script)]


# What a user has no rights for, whatever the runtime; and what only a delegated cgroup gives.
DELEGATED = {"runtime-events", "update-memory", "update-cpus", "memory", "oom-flag", "cpus", "stats", "pause", "unpause", "pids"}
NOT_FOR_USERS = {"device", "volume-propagation", "oom-score", "userns", "top", "commit", "cpuset"} | (set() if SYSTEMD else DELEGATED)
CASES = [case for case in ROOTFUL if case[0] not in NOT_FOR_USERS]
GUARD = ROOTFUL_GUARD
