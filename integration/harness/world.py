"""What a case gets as its argument: fresh names, bundles, the runtime, and the way to clean all of it up."""
import os
import subprocess
import time

from . import bundle, host, runtime
from .case import Failure, Skip


class World:
    def __init__(self, settings, case_name, number):
        self.settings, self.case_name = settings, case_name
        self.tag = f"langsbx-it-{settings.run_id}-{number}"
        self.folder = f"{settings.scratch}/{number}"
        os.makedirs(self.folder)
        os.chmod(self.folder, 0o711)
        self.rt = runtime.Runtime(settings.runtime, self.folder, settings.slow)
        self.bundles = 0
        self.made = []
        self.children = []

    def id(self, suffix="c"):
        name = f"{self.tag}-{suffix}"
        if name not in self.made:
            self.made.append(name)
        return name

    def cgroup_path(self, suffix="c"):
        return f"/{self.settings.parent_cgroup}/{self.tag}-{suffix}"

    def bundle(self, *args, shell=None):
        self.bundles += 1
        made = bundle.Bundle(f"{self.folder}/b{self.bundles}", self.settings.template,
                             self.cgroup_path(f"b{self.bundles}"))
        if shell is not None:
            made.shell(shell)
        elif args:
            made.args(*args)
        return made

    def run(self, made, *flags, suffix="c", **more):
        made.write()
        return self.rt("run", "--bundle", made.path, *flags, self.id(suffix), **more)

    def sh(self, script, made=None, *flags, **more):
        """Runs a script in a container of its own; its output, or a failure."""
        made = made or self.bundle()
        return self.run(made.shell(script), *flags, **more).ok().out.strip()

    def create(self, made, *flags, suffix="c", **more):
        made.write()
        return self.rt("create", "--bundle", made.path, *flags, self.id(suffix), **more)

    def started(self, made=None, *flags, suffix="c", **more):
        """A container that runs (`sleep` unless the bundle says otherwise); its id."""
        made = made or self.bundle("sleep", "1000")
        self.create(made, *flags, suffix=suffix, **more).ok()
        self.rt("start", self.id(suffix)).ok()
        return self.id(suffix)

    def probe(self, name):
        """A static helper program for the inside; a case that needs it is skipped where there is no compiler."""
        source = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "probe", name + ".c")
        try:
            return host.compile_probe(source, self.settings.scratch)
        except (FileNotFoundError, subprocess.CalledProcessError) as fault:
            text = getattr(fault, "stderr", b"") or b""
            if not self.settings.may_skip_probes:
                raise Failure(f"cannot build probe {name}: {fault} {text.decode()[-400:]}") from None
            raise Skip(f"no compiler for probe {name}") from None

    def add_probe(self, made, name):
        subprocess.run(["cp", self.probe(name), f"{made.rootfs}/bin/{name}"], check=True)
        return made

    def background(self, argv, **more):
        child = subprocess.Popen(argv, **more)
        self.children.append(child)
        return child

    def spawn(self, *args, **more):
        return self.background(self.rt.argv(*args), **more)

    def cgroup_dir(self, controller, made):
        """Where the cgroup of a bundle is on this host."""
        path = made.linux["cgroupsPath"]
        if host.cgroup_mode() == "v2":
            return "/sys/fs/cgroup" + path
        return f"/sys/fs/cgroup/{controller}{path}"

    def until(self, what, condition, seconds=10):
        end = time.monotonic() + seconds * self.settings.slow
        while not condition():
            if time.monotonic() > end:
                raise Failure(f"waited {seconds} s for {what}")
            time.sleep(0.02)

    def cleanup(self):
        for child in self.children:
            if child.poll() is None:
                child.kill()
            child.wait()
        try:
            left = os.listdir(self.rt.root)
        except FileNotFoundError:
            left = []
        for name in sorted(set(self.made) | {n for n in left if n.startswith("langsbx-it-")}):
            if os.path.isdir(f"{self.rt.root}/{name}"):
                self.rt("delete", "--force", name, timeout=20)
