"""Images made on the spot, without a registry: busybox, and a static pause; as tarballs and docker-archives."""
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import bundle  # noqa: E402

PAUSE = r"""
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static void end(int number) { (void)number; _exit(0); }
static void reap(int number) { (void)number; while (waitpid(-1, 0, WNOHANG) > 0) {} }
int main(void) {
  signal(SIGINT, end);
  signal(SIGTERM, end);
  signal(SIGCHLD, reap);
  for (;;) pause();
}
"""


def pack(tree, target):
    subprocess.run(["tar", "-C", tree, "--numeric-owner", "--owner=0", "--group=0", "-cf", target, "."], check=True)
    return target


def busybox(folder):
    tree = f"{folder}/busybox"
    os.makedirs(tree)
    bundle.make_template(tree)
    return pack(tree, f"{folder}/busybox.tar")


def pause(folder):
    tree = f"{folder}/pause"
    os.makedirs(tree)
    subprocess.run(["gcc", "-O1", "-static", "-s", "-x", "c", "-", "-o", f"{tree}/pause"], input=PAUSE.encode(),
                   check=True)
    return pack(tree, f"{folder}/pause.tar")


NOT_NEEDED = ("test", "idlelib", "tkinter", "lib2to3", "ensurepip", "distutils", "unittest", "pydoc_data", "config-*", "dist-packages")


def python(folder):
    """busybox and the machine's Python with its libraries."""
    tree = f"{folder}/python"
    os.makedirs(tree)
    bundle.make_template(tree)
    real = os.path.realpath("/usr/bin/python3")
    name = os.path.basename(real)
    needed = subprocess.run(["ldd", real], check=True, capture_output=True, text=True).stdout.split()
    for library in (word for word in needed if word.startswith("/")):
        os.makedirs(tree + os.path.dirname(library), exist_ok=True)
        shutil.copy(library, tree + library)
    shutil.copy(real, f"{tree}/bin/{name}")
    os.symlink(name, f"{tree}/bin/python3")
    shutil.copytree(f"/usr/lib/{name}", f"{tree}/usr/lib/{name}", ignore=shutil.ignore_patterns("__pycache__", *NOT_NEEDED),
                    ignore_dangling_symlinks=True)
    return pack(tree, f"{folder}/python.tar")


def add(archive, name, data):
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    archive.addfile(entry, io.BytesIO(data))


def docker_archive(layer, target, name, **config):
    """What docker load, ctr images import and podman load take."""
    with open(layer, "rb") as handle:
        digest = hashlib.sha256(handle.read()).hexdigest()
    settings = {"Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"], "Cmd": ["sh"], **config}
    if "Entrypoint" in config:
        settings.pop("Cmd")
    image = json.dumps({"architecture": "amd64", "os": "linux", "config": settings, "history": [{"created_by": "it"}],
                        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]}}).encode()
    config_name = hashlib.sha256(image).hexdigest() + ".json"
    manifest = json.dumps([{"Config": config_name, "RepoTags": [name], "Layers": [f"{digest}.tar"]}]).encode()
    with tarfile.open(target, "w") as archive:
        archive.add(layer, f"{digest}.tar")
        add(archive, config_name, image)
        add(archive, "manifest.json", manifest)
    return target


def archives(folder, judges):
    """docker-archives of the images that cases name: bb, pause and, for the guard, py."""
    made = [docker_archive(busybox(folder), f"{folder}/bb-image.tar", "localhost/bb:1"),
            docker_archive(pause(folder), f"{folder}/pause-image.tar", "localhost/pause:1", Entrypoint=["/pause"])]
    if judges:
        made.append(docker_archive(python(folder), f"{folder}/py-image.tar", "localhost/py:1"))
    return made
