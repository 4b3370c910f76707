"""One system call of a launch fails, and the rest is as ever: which calls there are, and what came of a failure."""
import ctypes
import errno
import os
import platform
import signal
import struct
from collections import namedtuple

from .runtime import read

# Without memory nobody can go on; the C library ends a process whose futex fails in a way that has no meaning; these have no failure, or end the process. close(2) frees the number whatever it answers.
NOT_TRIED = {"brk", "exit", "exit_group", "close", "madvise", "mmap", "mprotect", "mremap", "munmap", "rt_sigreturn", "arch_prctl", "set_tid_address",
             "set_robust_list", "rseq", "futex", "gettid", "getpid", "getppid", "getuid", "geteuid", "getgid", "getegid", "sched_yield", "umask"}
# Their numbers say what they are for; of others the texts do.
BY_NUMBER = {"prctl", "close_range", "fcntl", "ioctl", "dup2", "prlimit64", "rt_sigprocmask", "rt_sigaction", "wait4", "poll"}
CRASHES = {4, 6, 7, 8, 11, 31}  # SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS

# A call of the runtime: which of its processes, which call, how often by then; `about` are its texts and the descriptor's file.
Call = namedtuple("Call", "process name nth about after")
# `after`: the program runs already; None: the call did not come up.
Outcome = namedtuple("Outcome", "code text call crashes")


LIBC = ctypes.CDLL(None, use_errno=True)
RT_SIGACTION = {"x86_64": 13, "aarch64": 134}.get(platform.machine())
IGNORED = (int(signal.SIGHUP), int(signal.SIGPIPE), 32, 33, int(signal.SIGRTMAX))
IGNORE = struct.pack("PLPQ", int(signal.SIG_IGN), 0, 0, 0)


def ignore_signals():
    """As some callers leave it, CI among them. The kernel's own call: the C library keeps 32 and 33 for itself."""
    for number in IGNORED:
        if LIBC.syscall(RT_SIGACTION, number, IGNORE, None, 8) != 0:
            raise OSError(ctypes.get_errno(), f"ignore signal {number}")


def name_of(number):
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_syscall_resolve_num_arch.restype = ctypes.c_char_p
    return (library.seccomp_syscall_resolve_num_arch(0, number) or b"?").decode()


class Faults:
    def __init__(self, it):
        self.it, self.log = it, f"{it.folder}/fault.log"
        self.names = {}

    def traced(self, argv, *fault, **more):
        words = [self.it.probe("fault"), self.log, self.it.rt.path, *map(str, fault), "--", *argv]
        return self.it.rt(argv=words, preexec_fn=ignore_signals, restore_signals=False, **more)

    def parsed(self, line, after):
        words = line.split("\t")
        number = int(words[2])
        if number not in self.names:
            self.names[number] = name_of(number)
        return Call(int(words[1]), self.names[number], int(words[3]), " ".join(words[4:]), after)

    def lines(self):
        return read(self.log).splitlines()

    def calls(self, argv, **more):
        """Of a run that succeeds, in their order."""
        self.traced(argv, **more).ok()
        found, after = [], False
        for line in self.lines():
            after = after or line.startswith("exec\t")
            if line.startswith("call\t"):
                found.append(self.parsed(line, after))
        return [call for call in found if call.name not in NOT_TRIED]

    def fail(self, argv, call, **more):
        """The same run, in which this call fails."""
        number = next(n for n, name in self.names.items() if name == call.name)
        made = self.traced(argv, call.process, number, call.nth, errno.EIO, **more)
        lines, hit, after, crashes = self.lines(), None, False, []
        for line in lines:
            after = after or line.startswith("exec\t")
            if line.startswith("injected\t"):
                hit = self.parsed(line, after)
            if line.startswith("died\t") and int(line.split("\t")[2]) in CRASHES:
                crashes.append(line.replace("\t", " "))
        if made.code - 128 in CRASHES:
            crashes.append(f"exit {made.code}")
        return Outcome(made.code, made.text, hit, crashes)


def place(call):
    """What a row of a table is compared with: `prctl [23,40,] 2 of process 1 (its texts)`."""
    numbers, _, texts = call.about.partition(" ")
    told = f" [{numbers}]" if call.name in BY_NUMBER else ""
    return f"{call.name}{told} {call.nth} of process {call.process} ({texts})"


def everything():
    return os.environ.get("LANGSBX_IT_FAULTS") == "all"
