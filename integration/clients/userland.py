"""Another Debian's programs around the same kernel: its tree becomes the root of this process."""
import ctypes
import os
import shutil
import sys
import tempfile

from harness import host

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PIVOT_ROOT = 155  # x86-64


def share(path, root):
    """The same folder at the same path."""
    os.makedirs(root + path, exist_ok=True)
    host.mount(path, root + path, None, host.MS_BIND | host.MS_REC)


def run_inside(tree, runtimes):
    """This program again inside of `tree`; its exit status."""
    scratch = tempfile.mkdtemp(prefix="langsbx-it-tree-")
    os.chmod(scratch, 0o1777)
    pid = os.fork()
    if pid == 0:
        enter(os.path.realpath(tree), runtimes, scratch)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    shutil.rmtree(scratch, ignore_errors=True)
    return status


def enter(root, runtimes, scratch):
    """Does not return."""
    host.private_mounts()
    host.mount(root, root, None, host.MS_BIND)
    host.mount("proc", f"{root}/proc", "proc", 0)
    host.mount("tmpfs", f"{root}/run", "tmpfs", 0)
    host.mount("tmpfs", f"{root}/tmp", "tmpfs", 0)
    for path in ["/sys", "/dev", scratch, SOURCE]:
        share(path, root)
    for path in {os.path.dirname(r) for r in runtimes if not r.startswith(("/usr/", SOURCE + "/"))}:
        share(path, root)
    os.chdir(root)
    if ctypes.CDLL(None, use_errno=True).syscall(PIVOT_ROOT, b".", b".") != 0:
        raise OSError(ctypes.get_errno(), "pivot_root")
    os.system("umount -l .")
    os.chdir("/")
    os.environ["TMPDIR"] = scratch
    os.environ["PATH"] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    words = [word for at, word in enumerate(sys.argv) if word != "--tree" and sys.argv[at - 1] != "--tree"]
    os.execv("/usr/bin/python3", ["python3", f"{SOURCE}/integration/clients/run.py", *words[1:]])
