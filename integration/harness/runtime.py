"""The runtime under test, called the way its clients call it."""
import json
import os
import signal
import subprocess
import time

from .case import Failure


class Result:
    """Exit status and both streams of one call."""

    def __init__(self, code, out, err, argv):
        self.code, self.out, self.err, self.argv = code, out, err, argv

    @property
    def text(self):
        return self.out + self.err

    def ok(self):
        if self.code != 0:
            raise Failure(f"{' '.join(self.argv)}: exit {self.code}: {self.text[-700:].strip()}")
        return self

    def fails(self, *parts):
        """Expects failure with all these texts in the message (letter case is not compared)."""
        if self.code == 0:
            raise Failure(f"{' '.join(self.argv)}: succeeded, a failure was wanted: {self.text[-300:]}")
        for part in parts:
            if part.lower() not in self.text.lower():
                raise Failure(f"{' '.join(self.argv)}: message lacks {part!r}: {self.text[-500:].strip()}")
        return self


class Runtime:
    def __init__(self, path, folder, slow=1.0):
        self.path, self.folder, self.slow = path, folder, slow
        self.root = f"{folder}/state"
        self.calls = 0
        self.globals = []

    @property
    def name(self):
        base = os.path.basename(os.path.realpath(self.path))
        return base if base in ("runc", "crun") else "langsbx"

    def argv(self, *args):
        return [self.path, "--root", self.root, *self.globals, *args]

    def __call__(self, *args, stdin=None, env=None, timeout=20, cwd=None, pass_fds=(), argv=None, **more):
        """Runs to the end; the streams are files, so that a container that keeps them open blocks nobody."""
        self.calls += 1
        base = f"{self.folder}/call{self.calls}"
        words = argv or self.argv(*args)
        with open(base + ".out", "wb") as out, open(base + ".err", "wb") as err:
            given = subprocess.PIPE if stdin is not None else subprocess.DEVNULL
            child = subprocess.Popen(words, stdin=given, stdout=out, stderr=err, env=env, cwd=cwd,
                                     pass_fds=pass_fds, **more)
            try:
                child.communicate(stdin.encode() if isinstance(stdin, str) else stdin, timeout=timeout * self.slow)
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
                child.wait()
                raise Failure(f"{' '.join(words)}: no end after {timeout * self.slow:.0f} s: "
                              f"{read(base + '.err')[-400:]}") from None
        return Result(child.returncode, read(base + ".out"), read(base + ".err"), list(words))

    def start_call(self, *args, **more):
        """A call that goes on in the background."""
        return subprocess.Popen(self.argv(*args), **more)

    def state(self, container):
        return json.loads(self("state", container).ok().out)

    def wait_status(self, container, wanted, seconds=10):
        end = time.monotonic() + seconds * self.slow
        while True:
            status = self.state(container)["status"]
            if status == wanted:
                return
            if time.monotonic() > end:
                raise Failure(f"status of {container} stays {status!r}, wanted {wanted!r}")
            time.sleep(0.02)


def read(path):
    try:
        with open(path, "rb") as handle:
            return handle.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
