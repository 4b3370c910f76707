"""Podman and Buildah, rootful: storage, run folders and settings in a scratch folder."""
import os
import shutil

from harness import host

from . import image, readme
from .engine import Engine


CONTAINERS = """[containers]
default_sysctls = []
# Hard limits cannot be raised without CAP_SYS_RESOURCE; podman would try. Soft and hard are equal, as play kube swaps them.
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
init_path = "/usr/bin/catatonit"
infra_image = "localhost/pause:1"
runtime_supports_json = ["runc", "crun"]
runtime_supports_nocgroup = ["crun"]
"""
STORAGE = """[storage]
driver = "overlay"
graphroot = "{f}/root"
runroot = "{run}/containers"
"""


class Podman(Engine):
    NAME, PROGRAM = "podman", "podman"
    cgroups = ("libpod_parent",)
    states = ("/run/langsbx", "/run/runc")
    END = "$P rm -fa -t 0; $P pod rm -fa -t 0"

    def settings(self):
        """/etc/containers of this mount namespace: ours, with what `install` adds."""
        f = self.folder
        # Short: `podman container cleanup` refuses a run folder of more than 50 characters, and whoever waits for the
        # end of a container then waits for 20 s.
        self.run_folder = f"/run/langsbx-it-{os.getpid()}"
        os.mkdir(self.run_folder, 0o700)
        os.makedirs(f"{f}/etc/containers/containers.conf.d")
        for name, text in (("containers.conf", CONTAINERS), ("storage.conf", STORAGE.format(f=f, run=self.run_folder)),
                           ("policy.json", '{"default":[{"type":"insecureAcceptAnything"}]}')):
            with open(f"{f}/etc/containers/{name}", "w", encoding="ascii") as handle:
                handle.write(text)
        if self.judges:
            self.install("--for", "podman", "--path", self.runtime)
        host.mount(f"{f}/etc/containers", "/etc/containers", None, host.MS_BIND)

    def images(self):
        self.load("$P load -i", image.archives(self.folder, self.judges))

    def start(self):
        self.settings()
        rest = f"--cgroup-manager {self.driver} --tmpdir {self.folder}/tmp --events-backend file --network-config-dir {self.folder}/net"
        self.env.update(REST=rest, P=f"podman --runtime {self.runtime} {rest}", I=f"podman --runtime langsbx {rest}",
                        B=f"buildah --root {self.folder}/root --runroot {self.run_folder}/containers")
        self.images()

    def stop(self):
        self.sh(self.END)
        host.libc.umount2(b"/etc/containers", 2)
        super().stop()
        shutil.rmtree(self.run_folder, ignore_errors=True)


RUN = "$P run --rm --network none"
START = "$P rm -f -t 0 it >/dev/null 2>&1; $P run -d --name it --network none"
END = "; r=$?; $P rm -f -t 0 it >/dev/null; exit $r"
BB = "localhost/bb:1"
MEMORY = "$(ls /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max 2>/dev/null | head -1)"

KUBE = ("apiVersion: v1\\nkind: Pod\\nmetadata: {name: web}\\nspec:\\n  containers:\\n  - name: main\\n    image: localhost/bb:1\\n"
        "    imagePullPolicy: Never\\n    command: [sleep, \"100\"]\\n    env: [{name: A, value: b}]\\n    securityContext: {runAsUser: 1000}\\n")

CASES = [
    ("run", f"{RUN} {BB} true"),
    ("exit-code", f"{RUN} {BB} sh -c 'exit 42'; [ $? = 42 ]"),
    ("not-found-127", f"{RUN} {BB} /nope; [ $? = 127 ]"),
    ("not-in-path-127", f"{RUN} {BB} nope; [ $? = 127 ]"),
    ("not-executable-126", f"{RUN} {BB} /etc/passwd; [ $? = 126 ]"),
    ("runtime-error", f"out=$({RUN} --sysctl net.nope.bar=1 {BB} true 2>&1); [ $? != 0 ] && echo \"$out\" | grep sys/net/nope/bar"),
    ("stdin", f"[ $(echo abc | {RUN} -i {BB} cat) = abc ]"),
    ("tty", f"script -qec \"{RUN} -t {BB} tty\" /dev/null | grep -q /dev/pts/0"),
    ("detach", f"{START} {BB} sh -c 'trap \"echo got; exit 3\" TERM; echo started; while :; do sleep 0.1; done'"),
    ("logs", "sleep 0.5; $P logs it | grep -q started"),
    ("exec", "[ $($P exec it echo x) = x ]"),
    ("exec-tty", "script -qec \"$P exec -it it tty\" /dev/null | grep -q /dev/pts/"),
    ("exec-exit-code", "$P exec it sh -c 'exit 5'; [ $? = 5 ]"),
    ("exec-user-env-cwd", "$P exec -u 1000:1000 -e A=b -w /tmp it sh -c '[ $(id -u)$A$PWD = 1000b/tmp ]'"),
    ("exec-detached", "$P exec -d it touch /tmp/z && sleep 0.5 && $P exec it test -e /tmp/z"),
    ("top", "$P top it | grep -q sleep"),
    ("stats", "$P stats --no-stream it | grep -qE '[1-9][.0-9]*[kM]B'"),
    ("pause", "$P pause it && [ $($P inspect -f '{{.State.Status}}' it) = paused ]"),
    ("unpause", "$P unpause it && [ $($P inspect -f '{{.State.Status}}' it) = running ]"),
    ("update-memory", f"$P update --memory 64m it && $P exec it sh -c 'cat {MEMORY}' | grep -qx 67108864"),
    ("update-cpus", "$P update --cpus 0.5 it"),
    ("copy", "$P cp it:/etc/passwd $V/pw && grep -q root $V/pw"),
    ("stop", "$P stop -t 5 it && [ $($P wait it) = 3 ] && $P logs it | grep -q got"),
    ("restart", "$P start it && $P restart -t 1 it && $P inspect -f '{{.State.Status}}' it | grep -qx running"),
    ("kill-signal", f"{START} {BB} sh -c 'trap \"exit 9\" USR1; while :; do sleep 0.1; done' && sleep 0.4 && $P kill -s USR1 it "
     "&& [ $($P wait it) = 9 ]"),
    ("runtime-state", "$P start it && $RUNTIME state $($P inspect -f '{{.Id}}' it) | grep -E '\"status\": ?\"running\"'"),
    ("runtime-events", "$RUNTIME events --stats $($P inspect -f '{{.Id}}' it) | grep '\"memory\"'; r=$?; $P kill it; exit $r"),
    ("attach-running", f"$P rm -f -t 0 at; $P run -d -i --name at --network none {BB} sh -c 'read x; echo got-$x'; "
     "[ $( (echo word; sleep 1) | $P attach at) = got-word ]; r=$?; $P rm -f -t 0 at; exit $r"),
    ("kill", "$P start it && $P kill it && [ $($P wait it) = 137 ]"),
    ("init-and-attach", f"$P rm -f it; $P create --name it --network none {BB} echo att && $P init it && $P start -a it | grep -q att" + END),
    ("read-only", f"{RUN} --read-only --read-only-tmpfs=false {BB} touch /x; [ $? != 0 ]"),
    ("tmpfs", f"{RUN} --read-only --tmpfs /t:size=1m {BB} sh -c 'touch /t/x && grep \" /t tmpfs\" /proc/mounts'"),
    ("cap-drop-all", f"{RUN} --cap-drop ALL {BB} grep -q 'CapBnd:.0000000000000000' /proc/self/status"),
    ("cap-add", f"{RUN} --cap-drop ALL --cap-add NET_ADMIN {BB} grep -q 'CapBnd:.0000000000001000' /proc/self/status"),
    ("privileged", f"{RUN} --privileged {BB} grep CapEff /proc/self/status"),
    ("seccomp-default", f"{RUN} {BB} grep -q 'Seccomp:.2' /proc/self/status"),
    ("seccomp-unconfined", f"{RUN} --security-opt seccomp=unconfined {BB} true"),
    ("no-new-privileges", f"{RUN} --security-opt no-new-privileges {BB} grep -q 'NoNewPrivs:.1' /proc/self/status"),
    ("memory", f"{RUN} --memory 32m {BB} sh -c 'cat {MEMORY}' | grep -qx 33554432"),
    ("oom-flag", f"$P rm -f it; $P run --name it --network none --memory 32m --memory-swap 32m {BB} sh -c 'x=a; while :; do x=$x$x; done'; "
     "out=$($P inspect -f '{{.State.OOMKilled}} {{.State.ExitCode}}' it); echo \"$out\"; [ \"$out\" = 'true 137' ]" + END),
    ("cpus", f"{RUN} --cpus 0.5 {BB} true"),
    ("cpuset", f"{RUN} --cpuset-cpus 0 {BB} grep -q 'Cpus_allowed_list:.0$' /proc/self/status"),
    ("pids", f"{RUN} --pids-limit 20 {BB} true"),
    ("ulimit", f"[ $({RUN} --ulimit nofile=100:200 --ulimit nproc=1000:2000 {BB} sh -c 'ulimit -n') = 100 ]"),
    ("init", f"{RUN} --init {BB} cat /proc/1/comm | grep -qE 'catatonit|podman-init'"),
    ("user", f"{RUN} --user 1000:1000 {BB} id | grep -q uid=1000"),
    ("volume", f"echo v > $V/f; {RUN} -v $V:/v:ro {BB} sh -c '[ $(cat /v/f) = v ] && ! touch /v/g'"),
    ("volume-named", f"$P volume create lv && {RUN} -v lv:/v {BB} touch /v/a && {RUN} -v lv:/v {BB} test -e /v/a && $P volume rm lv"),
    ("volume-propagation", f"mkdir -p $V/deep && {START} -v $V:/v:rslave {BB} sleep 50 && mount -t tmpfs late $V/deep && touch $V/deep/late && "
     "$P exec it test -e /v/deep/late; r=$?; umount $V/deep; $P rm -f -t 0 it; exit $r"),
    ("volume-rslave", f"{RUN} -v $V:/v:rslave {BB} true"),
    ("shm-size", f"{RUN} --shm-size 8m {BB} grep -qE ' /dev/shm tmpfs .*size=8192k' /proc/mounts"),
    ("hostname", f"[ $({RUN} --hostname foo {BB} hostname) = foo ]"),
    ("sysctl", f"[ $({RUN} --sysctl net.ipv4.ip_forward=1 {BB} cat /proc/sys/net/ipv4/ip_forward) = 1 ]"),
    ("device", f"{RUN} --device /dev/fuse {BB} test -c /dev/fuse"),
    ("oom-score", f"[ $({RUN} --oom-score-adj 500 {BB} cat /proc/self/oom_score_adj) = 500 ]"),
    ("pid-host", f"{RUN} --pid host {BB} test -d /proc/$$"),
    ("userns", f"{RUN} --uidmap 0:100000:5000 --gidmap 0:100000:5000 {BB} cat /proc/self/uid_map | grep -q 5000"),
    ("cgroupns", f"{RUN} --cgroupns private {BB} cat /proc/self/cgroup"),
    ("systemd-mounts", f"{RUN} --systemd always {BB} grep -q cgroup /proc/mounts"),
    ("no-cgroups", f"{RUN} --cgroups disabled {BB} true"),
    ("annotation", f"{RUN} --annotation a.b=c {BB} true"),
    ("pod", f"$P pod create --name pp --infra-image localhost/pause:1 --network none && $P run -d --pod pp --name it {BB} sleep 100 && "
     f"$P run --rm --pod pp {BB} true && $P pod ps | grep -q Running; r=$?; $P pod rm -f -t 0 pp; exit $r"),
    ("pod-shares", f"$P pod create --name pp --infra-image localhost/pause:1 --network none --share ipc,net,uts,pid && $P run -d --pod pp {BB} sleep 77 && "
     f"$P run --rm --pod pp {BB} ps | grep -q 'sleep 77'; r=$?; $P pod rm -f -t 0 pp; exit $r"),
    ("pod-stop-start", f"$P pod create --name pp --infra-image localhost/pause:1 --network none && $P run -d --pod pp --name it {BB} sleep 100 && "
     "$P pod stop -t 1 pp && $P pod start pp && [ $($P exec it echo again) = again ]; r=$?; $P pod rm -f -t 0 pp; exit $r"),
    ("play-kube", f"printf '{KUBE}' > $V/kube.yaml; $P play kube --network none $V/kube.yaml && [ $($P exec web-main hostname) = web ] && "
     "$P exec web-main sh -c '[ $A = b ] && [ $(id -u) = 1000 ]'; r=$?; $P play kube --down $V/kube.yaml; exit $r"),
    ("generate-kube", f"{START} {BB} sleep 50 && $P generate kube it | grep -q 'image: localhost/bb:1'" + END),
    ("runtime-flag", f"$P --runtime-flag debug run --rm --network none {BB} true"),
    ("buildah-run", "c=$($B from --pull-never localhost/bb:1) && $B run --runtime $RUNTIME --isolation oci --network none $c sh -c 'echo b > /made' && "
     "[ $($B run --runtime $RUNTIME --isolation oci --network none $c cat /made) = b ]; r=$?; $B rm $c; exit $r"),
    ("buildah-exit-code", "c=$($B from --pull-never localhost/bb:1) && $B run --runtime $RUNTIME --isolation oci --network none $c sh -c 'exit 3'; "
     "[ $? = 3 ]; r=$?; $B rm $c; exit $r"),
    ("buildah-build", "mkdir -p $V/bctx && printf 'FROM localhost/bb:1\nRUN echo x > /x && grep -q x /x\n' > $V/bctx/Dockerfile && "
     "$B bud --runtime $RUNTIME --isolation oci --network none --pull-never -t bud:1 $V/bctx"),
    ("healthcheck", f"{START} --health-cmd true {BB} sleep 50 && $P healthcheck run it" + END),
    ("build", "mkdir -p $V/ctx && cp $V/../busybox.tar $V/ctx/ && printf 'FROM scratch\\nADD busybox.tar /\\nRUN echo built > /built\\n' "
     f"> $V/ctx/Dockerfile && $P build --network none -t built:1 $V/ctx && {RUN} localhost/built:1 grep -q built /built"),
    ("commit", f"$P rm -f it; $P run --name it --network none {BB} touch /new && $P commit it cc:1 && {RUN} localhost/cc:1 test -e /new" + END),
    ("parallel-10", f"for i in 1 2 3 4 5 6 7 8 9 10; do {RUN} {BB} echo k & done | grep -c k | grep -qx 10"),
]

ASKED = "--rm --network none --annotation io.langsbx.guard=enforce --annotation io.langsbx.profile=default -v $V:/v:ro localhost/py:1"
GUARD = [
    ("guard-installed", f"[ $($I run --rm --network none {BB} echo fine) = fine ]"),
    ("guard-installed-no-cgroups", f"$I run --rm --network none --cgroups disabled {BB} true"),
    ("guard-refuses", f"out=$($I run {ASKED} python3 /v/bad.py 2>&1); [ $? != 0 ] && echo \"$out\" | grep -q '/v/bad.py:2:[0-9]*: error: ' && "
     "! echo \"$out\" | grep -qx harm"),
    ("guard-refuses-in-lines", f"$I run {ASKED} python3 /v/bad.py 2>&1 | grep -q '^/v/bad.py:2:[0-9]*: error: '"),
    ("guard-accepts", f"[ $($I run {ASKED} python3 /v/good.py) = 42 ]"),
    ("guard-runtime-flag", "$I --runtime-flag profile=strict run --rm --network none -v $V:/v:ro localhost/py:1 python3 /v/bad.py 2>&1 | "
     "grep -q '/v/bad.py:2:'"),
] + readme.cases("Podman and Buildah", 'podman() { command podman $REST "$@"; }; c=$($B from --pull-never localhost/bb:1); '
                 'buildah() { verb=$1; shift; command $B $verb --network none "$@"; }; ', IMAGE="localhost/py:1", CONTAINER="$c", COMMAND="true")
