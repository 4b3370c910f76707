"""CRI-O, where there is one: the cases of CRI with its own way to name a runtime handler."""
import os
import shutil

from harness import host

from . import image, readme
from .cri import CASES as CRI_CASES
from .cri import CNI, Cri
from .cri import GUARD as CRI_GUARD

# What `install` writes, for runtimes that have no such command.
HANDLER = """[crio.runtime.runtimes.it]
runtime_path = "{runtime}"
runtime_type = "oci"
runtime_root = "/run/it"
"""


# CRI-O gives its sandbox -998, which needs CAP_SYS_RESOURCE; no runtime gets that through where the machine lacks it.
WITHOUT_SCORE = """#!/bin/sh
bundle= last=
for word; do [ "$last" != --bundle ] || bundle=$word; last=$word; done
[ -z "$bundle" ] || sed -i 's/"oomScoreAdj": *-[0-9]*/"oomScoreAdj":0/' "$bundle/config.json"
exec {runtime} "$@"
"""


class CriO(Cri):
    NAME, PROGRAM = "crio", "crio"
    STATE = "/run/it"
    states = (STATE,)

    def images(self):
        """Loaded by podman into the storage that the daemon reads."""
        f = self.folder
        self.load(f"podman --root {f}/root --runroot {f}/runroot --storage-driver overlay load -i", image.archives(f, self.judges))

    def start(self):
        f = self.folder
        self.sockets = f"/run/langsbx-it-{os.getpid()}"  # short: the name of a socket has 108 characters
        for folder in ("cni", "etc/crio/crio.conf.d", "log"):
            os.makedirs(f"{f}/{folder}")
        with open(f"{f}/policy.json", "w", encoding="ascii") as handle:
            handle.write('{"default":[{"type":"insecureAcceptAnything"}]}')
        with open(f"{f}/cni/10-it.conflist", "w", encoding="ascii") as handle:
            handle.write(CNI.format(f=f))
        program = self.runtime
        if not host.bounding_set() >> host.CAP_SYS_RESOURCE & 1:
            program = f"{f}/without-score"
            with open(program, "w", encoding="ascii") as handle:
                handle.write(WITHOUT_SCORE.format(runtime=self.runtime))
            os.chmod(program, 0o755)
        if self.judges:
            self.install("--for", "crio", "--name", "it", "--path", program)
        else:
            with open(f"{f}/etc/crio/crio.conf.d/50-it.conf", "w", encoding="ascii") as handle:
                handle.write(HANDLER.format(runtime=program))
        self.images()
        self.background(["crio", "--listen", f"{f}/crio.sock", "--root", f"{f}/root", "--runroot", f"{f}/runroot", "--storage-driver", "overlay",
                         "--config", "", "--config-dir", f"{f}/etc/crio/crio.conf.d", "--cni-config-dir", f"{f}/cni", "--cni-plugin-dir", "/usr/lib/cni",
                         "--cgroup-manager", self.driver, "--conmon-cgroup", "pod", "--pause-image", "localhost/pause:1", "--log-dir", f"{f}/log",
                         "--signature-policy", f"{f}/policy.json", "--default-runtime", "it", "--namespaces-dir", f"{f}/ns", "--version-file",
                         f"{f}/version", "--container-attach-socket-dir", self.sockets, "--container-exits-dir", f"{f}/exits",
                         "--apparmor-profile", "unconfined", "--drop-infra-ctr=false", "--log-level", "debug"], f"{f}/crio.log")
        self.wait_until(f"test -S {f}/crio.sock")

    def stop(self):
        self.sh("for c in $($RUNTIME --root /run/it list -q); do $RUNTIME --root /run/it delete --force $c; done")
        super(Cri, self).stop()
        shutil.rmtree(self.sockets, ignore_errors=True)


CASES = CRI_CASES
GUARD = CRI_GUARD + readme.cases("CRI-O", 'systemctl() { [ "$*" = "restart crio" ]; }; ')
