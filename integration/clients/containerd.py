"""containerd: a daemon of its own, driven through ctr with the shim's BinaryName set to the runtime."""
from . import image, readme
from .engine import Engine


class Containerd(Engine):
    NAME, PROGRAM = "containerd", "containerd"
    cgroups = ("it",)
    states = ("/run/containerd/runc/it",)

    def start(self):
        f = self.folder
        with open(f"{f}/config.toml", "w", encoding="ascii") as handle:
            handle.write(f'version = 2\nroot = "{f}/root"\nstate = "{f}/state"\noom_score = 0\n'
                         f'disabled_plugins = ["io.containerd.grpc.v1.cri"]\n'
                         f'[grpc]\n  address = "{f}/containerd.sock"\n[ttrpc]\n  address = "{f}/containerd.sock.ttrpc"\n'
                         f'[plugins."io.containerd.internal.v1.opt"]\n  path = "{f}/opt"\n')
        self.background(["containerd", "-c", f"{f}/config.toml"], f"{f}/containerd.log")
        ctr = f"ctr -a {f}/containerd.sock -n it"
        how = f"--runtime io.containerd.runc.v2 --runc-binary {self.runtime}"
        self.env.update(C=ctr, R=f"{ctr} run --rm {how}", D=f"{ctr} run -d {how}")
        self.wait_until("$C version")
        self.load("$C images import", image.archives(f, self.judges))

    def stop(self):
        self.sh("for t in $($C task ls -q); do $C task kill -s KILL $t; done; sleep 0.5; "
                "for t in $($C task ls -q); do $C task rm -f $t; done")
        super().stop()


BB = "localhost/bb:1"
CASES = [
    ("run", f"[ $($R {BB} c1 echo hello) = hello ]"),
    ("exit-code", f"$R {BB} c1 sh -c 'exit 42'; [ $? = 42 ]"),
    ("not-found", f"$R {BB} c1 /nope 2>&1 | grep -q 'no such file or directory'"),
    ("format-error-6-times", "printf garbage > $V/garbage; chmod 755 $V/garbage; for i in 1 2 3 4 5 6; do "
     f"$R --mount type=bind,src=$V,dst=/v,options=rbind:ro {BB} f$i /v/garbage 2>&1 | grep -qi 'exec format error' || exit 1; done"),
    ("env-cwd-readonly", f"$R --env A=b --cwd /tmp --read-only {BB} c1 sh -c '[ $A$PWD = b/tmp ] && ! touch /x'"),
    ("memory-cpus", f"$R --memory-limit 33554432 --cpus 0.5 {BB} c1 true"),
    ("mount", f"echo v > $V/f; [ $($R --mount type=bind,src=$V,dst=/mnt,options=rbind:ro {BB} c1 cat /mnt/f) = v ]"),
    ("seccomp", f"$R --seccomp {BB} c1 grep -q 'Seccomp:.2' /proc/self/status"),
    ("tty", f"script -qec \"$R -t {BB} c1 tty\" /dev/null | grep -q /dev/pts/0"),
    ("host-network", f"$R --net-host {BB} c1 ip a | grep -q lo"),
    ("detach", f"$D {BB} d1 sleep 100 && $C task ls | grep d1 | grep -q RUNNING"),
    ("exec", "[ $($C task exec --exec-id e1 d1 echo in) = in ]"),
    ("exec-exit-code", "$C task exec --exec-id e2 d1 sh -c 'exit 6'; [ $? = 6 ]"),
    ("exec-tty", "script -qec \"$C task exec -t --exec-id e3 d1 tty\" /dev/null | grep -q /dev/pts/"),
    ("runtime-state", "$RUNTIME --root /run/containerd/runc/it state d1 | grep '\"status\": \"running\"'"),
    ("runtime-events", "$RUNTIME --root /run/containerd/runc/it events --stats d1 | grep '\"memory\"'"),
    ("runtime-error", f"out=$($R --device /dev/nope {BB} c2 true 2>&1); [ $? != 0 ] && echo \"$out\" | grep /dev/nope"),
    ("pause", "$C task pause d1 && $C task ls | grep d1 | grep -q PAUSED"),
    ("resume", "$C task resume d1 && $C task ls | grep d1 | grep -q RUNNING"),
    ("ps", "$C task ps d1 | grep -qE '^[0-9]+'"),
    ("metrics", "$C task metrics d1 | grep -qE 'pids.current'"),
    ("kill", "$C task kill -s KILL d1; sleep 0.7; $C task ls | grep d1 | grep -q STOPPED"),
    ("delete", "$C task rm d1; $C container rm d1; ! $C container ls -q | grep -q d1"),
    ("parallel-8", f"for i in 1 2 3 4 5 6 7 8; do $R {BB} p$i echo k & done | grep -c k | grep -qx 8"),
]

ASKED = "--annotation io.langsbx.guard=enforce --annotation io.langsbx.profile=default --mount type=bind,src=$V,dst=/v,options=rbind:ro"
GUARD = [
    ("guard-refuses", f"out=$($R {ASKED} localhost/py:1 g1 python3 /v/bad.py 2>&1); [ $? != 0 ] && echo \"$out\" | grep -q '/v/bad.py:2:' && "
     "! echo \"$out\" | grep -qx harm"),
    ("guard-refuses-6-times", f"for i in 1 2 3 4 5 6; do $R {ASKED} localhost/py:1 r$i python3 /v/bad.py 2>&1 | grep -q '/v/bad.py:2:' || exit 1; done"),
    ("guard-refuses-in-lines", f"$R {ASKED} localhost/py:1 l1 python3 /v/bad.py 2>&1 | grep -q '^/v/bad.py:2:[0-9]*: error: '"),
    ("guard-accepts", f"[ $($R {ASKED} localhost/py:1 g2 python3 /v/good.py) = 42 ]"),
    ("guard-asked-by-environment", f"$R --env LANGSBX_PROFILE=strict --mount type=bind,src=$V,dst=/v,options=rbind:ro localhost/py:1 g3 "
     "python3 /v/bad.py 2>&1 | grep -q '/v/bad.py:2:'"),
] + readme.cases("containerd", 'ctr() { command $C "$@"; }; systemctl() { [ "$*" = "restart containerd" ]; }; ', IMAGE="localhost/py:1", ID="readme",
                 COMMAND="python3 -c 'print(1)'")
