"""Kubernetes without a cluster: manifests against the API's schema, the installer's image built and run on a folder that plays the node."""
import os
import subprocess

from . import readme
from .podman import Podman

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../kubernetes")


class Kubernetes(Podman):
    NAME, FETCHES = "kubernetes", True

    def start(self):
        super().start()
        self.env["K"] = HERE
        modules = f"{self.folder}/modules"
        os.makedirs(modules)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--silent", "kubernetes-models", "yaml"], cwd=modules,
                       check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
        self.env["CHECK"] = f"node {HERE}/check.mjs {modules}"
        os.makedirs(f"{self.folder}/node/etc/containerd")
        with open(f"{self.folder}/node/etc/containerd/config.toml", "w", encoding="ascii") as handle:
            handle.write("version = 2\n")


NODE = ("$P run --rm --network none --privileged -v $FOLDER/node:/host -e RESTART='echo restarted' localhost/langsbx-installer:latest "
        "/install-node --name langsbx")
CASES = []
GUARD = [
    ("manifests", "$RUNTIME install --for kubernetes | $CHECK"),
    ("manifests-named", "$RUNTIME install --for kubernetes --name tight --profile strict --image r.example/i:7 | $CHECK"),
    ("a-wrong-manifest-is-found", "$RUNTIME install --for kubernetes | sed 's/hostPID: true/hostPID: maybe/' | $CHECK | grep 'hostPID must be boolean'"),
    ("installer-image", "$K/build-context $RUNTIME $FOLDER/installer && $B bud --isolation chroot --pull-never -t langsbx-installer:latest $FOLDER/installer"),
    ("installer-on-a-node", f"{NODE} | grep restarted && grep -q 'BinaryName = \"/opt/langsbx/bin/langsbx\"' $FOLDER/node/etc/containerd/config.toml && "
     "[ \"$($FOLDER/node/opt/langsbx/bin/langsbx --version | head -1)\" = \"$($RUNTIME --version | head -1)\" ]"),
    ("installer-again", f"{NODE} | grep 'containerd knows it already'"),
    ("installer-waits", "$P run -d --name it --network none --read-only --cap-drop ALL localhost/langsbx-installer:latest "
     "/bin/sh -c \"trap 'exit 0' TERM; while :; do sleep 3600 & wait; done\" && sleep 1 && $P stop -t 5 it && [ $($P wait it) = 0 ]"),
] + readme.cases("Kubernetes", 'kubectl() { [ "$*" = "apply -f -" ] && $CHECK; }; ')
