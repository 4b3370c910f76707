"""Docker: a dockerd of its own with data, exec root and socket in a scratch folder."""
import json
import os
import shutil

from . import image, readme
from .engine import Engine

RUN = "docker run --rm --runtime=it --network none"


class Docker(Engine):
    NAME, PROGRAM = "docker", "dockerd"
    cgroups = ("docker",)
    states = ("{f}/exec/runtime-*/moby",)

    def start(self):
        os.makedirs(f"{self.folder}/etc/docker")
        settings = f"{self.folder}/etc/docker/daemon.json"
        real = shutil.which("runc", path=self.env["PATH"])
        # Not as flags: Docker 20.10 forgets those when it reads the file again.
        with open(settings, "w", encoding="ascii") as handle:
            json.dump({"shutdown-timeout": 5, "runtimes": {"it": {"path": self.runtime}, "real": {"path": real}}, "default-runtime": "it"}, handle)
        if self.judges:
            self.install("--for", "docker")
            self.install("--for", "docker", "--name", "langsbx-default", "--profile", "default")
            # BuildKit takes no runtime but the `runc` that the daemon finds.
            os.makedirs(f"{self.folder}/bin")
            os.symlink(self.runtime, f"{self.folder}/bin/runc")
        self.env["PATH"] = f"{self.folder}/bin:" + self.env["PATH"]
        self.env["DOCKER_HOST"] = f"unix://{self.folder}/docker.sock"
        self.background(["dockerd", "--config-file", settings, "--data-root", f"{self.folder}/data", "--exec-root", f"{self.folder}/exec",
                         "--pidfile", f"{self.folder}/dockerd.pid", "-H", self.env["DOCKER_HOST"],
                         "--exec-opt", f"native.cgroupdriver={self.driver}", "--bip", "10.88.77.1/24", "--experimental"], f"{self.folder}/dockerd.log")
        self.wait_until("docker info")
        image.busybox(self.folder)
        image.pause(self.folder)
        self.wait_until(f"docker import {self.folder}/busybox.tar bb:1")
        self.wait_until(f"docker import -c 'ENTRYPOINT [\"/pause\"]' {self.folder}/pause.tar pause:1")
        if self.judges:
            image.python(self.folder)
            self.wait_until(f"docker import {self.folder}/python.tar py:1")
        with open(f"{self.folder}/v/nomkdir.json", "w", encoding="ascii") as handle:
            handle.write('{"defaultAction":"SCMP_ACT_ALLOW","architectures":["SCMP_ARCH_X86_64"],"syscalls":'
                         '[{"names":["mkdir","mkdirat"],"action":"SCMP_ACT_ERRNO","errnoRet":38}]}')


def limit_file(v1, v2):
    return f"$(ls /sys/fs/cgroup/{v1} /sys/fs/cgroup/{v2} 2>/dev/null | head -1)"


MEMORY = limit_file("memory/memory.limit_in_bytes", "memory.max")
QUOTA = limit_file("cpu/cpu.cfs_quota_us", "cpu.max")
PIDS = limit_file("pids/pids.max", "pids.max")
STATE = "$RUNTIME --root $V/../exec/runtime-runc/moby"
START = "docker rm -f it >/dev/null 2>&1; docker run -d --name it --runtime=it --network none"
END = "; r=$?; docker rm -f it >/dev/null; exit $r"

BASICS = [
    ("run", f"{RUN} bb:1 true"),
    ("output", f"[ $({RUN} bb:1 echo hello) = hello ]"),
    ("exit-code", f"{RUN} bb:1 sh -c 'exit 42'; [ $? = 42 ]"),
    ("not-found-127", f"{RUN} bb:1 /nope; [ $? = 127 ]"),
    ("not-in-path-127", f"{RUN} bb:1 nope; [ $? = 127 ]"),
    ("not-executable-126", f"{RUN} bb:1 /etc/passwd; [ $? = 126 ]"),
    ("runtime-error", f"out=$({RUN} --sysctl net.nope.bar=1 bb:1 true 2>&1); [ $? = 127 ] && echo \"$out\" | grep 'sys/net/nope/bar: no such file'"),
    # Fails at `start`, not at `create`.
    ("format-error-6-times", f"printf garbage > $V/garbage; chmod 755 $V/garbage; for i in 1 2 3 4 5 6; do {RUN} -v $V:/v bb:1 /v/garbage 2>&1 | "
     "grep -qi 'exec format error' || exit 1; done"),
    ("gpus-125", f"out=$({RUN} --gpus all bb:1 true 2>&1); [ $? = 125 ] && echo \"$out\" | grep -i 'driver'"),
    ("bad-flag-125", f"{RUN} --memory 1b bb:1 true; [ $? = 125 ]"),
    ("killed-137", f"{RUN} --init bb:1 sh -c 'kill -9 $$'; [ $? = 137 ]"),
    ("stdin", f"[ $(echo abc | {RUN} -i bb:1 cat) = abc ]"),
    ("tty", f"script -qec '{RUN} -t bb:1 tty' /dev/null | grep -q /dev/pts/0"),
    ("tty-interactive", f"(sleep 1; echo 'echo $((40+2)); exit 7') | script -qec '{RUN} -it bb:1 sh' /dev/null | grep -q 42"),
]

LIFE = [
    ("detach", f"{START} bb:1 sh -c 'trap \"echo got; exit 3\" TERM; echo started; while :; do sleep 0.1; done'"),
    ("logs", "sleep 0.5; docker logs it | grep -q started"),
    ("exec", "[ $(docker exec it echo x) = x ]"),
    ("exec-tty", "script -qec 'docker exec -it it tty' /dev/null | grep -q /dev/pts/"),
    ("exec-exit-code", "docker exec it sh -c 'exit 5'; [ $? = 5 ]"),
    ("exec-user-env-cwd", "docker exec -u 1000:1000 -e A=b -w /tmp it sh -c '[ $(id -u)$A$PWD = 1000b/tmp ]'"),
    ("exec-privileged", "docker exec --privileged it grep CapEff /proc/self/status"),
    ("exec-not-found", "docker exec it /nope; [ $? = 127 -o $? = 126 ]"),
    ("exec-detached", "docker exec -d it touch /tmp/z && sleep 0.5 && docker exec it test -e /tmp/z"),
    ("top", "docker top it | grep -q sleep"),
    ("stats", "docker stats --no-stream --format '{{.MemUsage}} {{.PIDs}}' it | grep -qE '[1-9][.0-9]*.iB'"),
    ("pause", "docker pause it && [ $(docker inspect -f '{{.State.Paused}}' it) = true ]"),
    ("unpause", "docker unpause it && [ $(docker inspect -f '{{.State.Status}}' it) = running ]"),
    ("update-memory", f"docker update --memory 64m --memory-swap 64m it && docker exec it sh -c 'cat {MEMORY}' | grep -qx 67108864"),
    ("update-cpus", f"docker update --cpus 0.5 it && docker exec it sh -c 'cat {QUOTA}' | grep -q ^50000"),
    ("update-pids", f"docker update --pids-limit 50 it && docker exec it sh -c 'cat {PIDS}' | grep -qx 50"),
    ("copy", "docker cp it:/etc/passwd - | tar t | grep -q passwd"),
    ("copy-in", "echo in > $V/in && docker cp $V/in it:/tmp/in && [ $(docker exec it cat /tmp/in) = in ]"),
    ("diff", "docker exec it touch /tmp/q && docker diff it | grep -q /tmp/q"),
    ("stop", "docker stop -t 5 it && docker wait it | grep -qx 3 && docker logs it | grep -q got"),
    ("restart", "docker start it && docker restart -t 1 it && docker inspect -f '{{.State.Status}}' it | grep -qx running"),
    ("kill-signal", f"{START} bb:1 sh -c 'trap \"exit 9\" USR1; while :; do sleep 0.1; done' && sleep 0.4 && "
     "docker kill -s USR1 it && docker wait it | grep -qx 9"),
    ("runtime-list", f"docker start it && {STATE} list -q | grep -qx $(docker inspect -f '{{{{.Id}}}}' it)"),
    ("runtime-state", f"{STATE} state $(docker inspect -f '{{{{.Id}}}}' it) | grep '\"status\": \"running\"'"),
    ("runtime-events", f"{STATE} events --stats $(docker inspect -f '{{{{.Id}}}}' it) | python3 -c 'import json, sys; "
     "d = json.load(sys.stdin); assert d[\"type\"] == \"stats\" and d[\"data\"][\"memory\"][\"usage\"][\"usage\"] > 0, d'"),
    ("kill", "docker start it && docker kill it && docker wait it | grep -qx 137"),
    ("attach", "docker rm -f it; docker create --name it --runtime=it --network none bb:1 echo att && docker start -a it | grep -q att"),
    ("attach-running", f"{START} -i bb:1 sh -c 'read x; echo got-$x' && [ $( (echo word; sleep 1) | docker attach it) = got-word ]" + END),
    ("events-oom", f"since=$(date +%s); {START} --memory 32m --memory-swap 32m bb:1 sh -c 'x=a; while :; do x=$x$x; done'; docker wait it; sleep 1; "
     "docker events --since $since --until $(date +%s) --filter event=oom | grep -q ' oom '" + END),
    ("restart-policy", f"{START} --restart on-failure:2 bb:1 sh -c 'exit 1'; sleep 3; "
     "[ $(docker inspect -f '{{.RestartCount}}' it) = 2 ]" + END),
]

SECURITY = [
    ("read-only", f"{RUN} --read-only bb:1 touch /x; [ $? != 0 ]"),
    ("read-only-tmpfs", f"{RUN} --read-only --tmpfs /tmp:size=1m bb:1 sh -c 'touch /tmp/x && grep \" /tmp tmpfs\" /proc/mounts'"),
    ("cap-drop-all", f"{RUN} --cap-drop ALL bb:1 grep -q 'CapBnd:.0000000000000000' /proc/self/status"),
    ("cap-add", f"{RUN} --cap-drop ALL --cap-add NET_ADMIN bb:1 grep -q 'CapBnd:.0000000000001000' /proc/self/status"),
    ("privileged", f"{RUN} --privileged bb:1 grep CapEff /proc/self/status"),
    ("seccomp-profile", f"{RUN} --security-opt seccomp=$V/nomkdir.json bb:1 sh -c 'mkdir /q 2>&1 | grep -q \"not implemented\"'"),
    ("seccomp-unconfined", f"{RUN} --security-opt seccomp=unconfined bb:1 true"),
    ("seccomp-default", f"{RUN} bb:1 grep -q 'Seccomp:.2' /proc/self/status"),
    ("no-new-privileges", f"{RUN} --security-opt no-new-privileges bb:1 grep -q 'NoNewPrivs:.1' /proc/self/status"),
    ("user", f"{RUN} --user 1000:1000 --group-add 55 bb:1 id | grep 'uid=1000' | grep -q 55"),
    ("device", f"{RUN} --device /dev/fuse bb:1 test -c /dev/fuse"),
    ("device-read-only", f"{RUN} --device /dev/fuse:/dev/z:r bb:1 sh -c 'head -c 0 /dev/z && ! echo x > /dev/z'"),
    ("device-cgroup-rule", f"{RUN} -v /dev/fuse:/dev/z --device-cgroup-rule 'c 10:229 r' bb:1 sh -c 'head -c 0 /dev/z && ! echo x > /dev/z' && "
     f"! {RUN} -v /dev/fuse:/dev/z bb:1 head -c 0 /dev/z"),
    ("device-denied", f"{RUN} bb:1 sh -c 'mknod /tmp/k c 10 229 && cat /tmp/k'; [ $? != 0 ]"),
    ("masked", f"{RUN} bb:1 sh -c 'cat /proc/kcore | wc -c' | grep -qx 0"),
]

LIMITS = [
    ("memory", f"{RUN} --memory 32m bb:1 sh -c 'cat {MEMORY}' | grep -qx 33554432"),
    ("memory-oom", f"{RUN} --memory 32m --memory-swap 32m bb:1 sh -c 'x=a; while :; do x=$x$x; done'; [ $? = 137 ]"),
    ("oom-flag", "docker rm -f it; docker run --name it --runtime=it --network none --memory 32m --memory-swap 32m bb:1 "
     "sh -c 'x=a; while :; do x=$x$x; done'; docker inspect -f '{{.State.OOMKilled}}' it | grep -qx true" + END),
    ("cpus", f"{RUN} --cpus 0.5 bb:1 sh -c 'cat {QUOTA}' | grep -q ^50000"),
    ("cpu-shares", f"{RUN} --cpu-shares 512 bb:1 true"),
    ("cpuset", f"{RUN} --cpuset-cpus 0 bb:1 grep -q 'Cpus_allowed_list:.0$' /proc/self/status"),
    ("pids", f"{RUN} --pids-limit 20 bb:1 sh -c 'cat {PIDS}' | grep -qx 20"),
    ("pids-enforced", f"{RUN} --pids-limit 6 bb:1 sh -c 'for i in 1 2 3 4 5 6 7 8 9; do sleep 1 & done; wait' 2>&1 | grep -q fork"),
    ("blkio-weight", f"{RUN} --blkio-weight 300 bb:1 true"),
    ("ulimit", f"[ $({RUN} --ulimit nofile=100:200 bb:1 sh -c 'ulimit -n') = 100 ]"),
    ("oom-score", f"[ $({RUN} --oom-score-adj 500 bb:1 cat /proc/self/oom_score_adj) = 500 ]"),
    ("shm-size", f"{RUN} --shm-size 8m bb:1 grep -qE ' /dev/shm tmpfs .*size=8192k' /proc/mounts"),
]

PLACES = [
    ("init", f"[ $({RUN} --init bb:1 cat /proc/1/comm) = docker-init ]"),
    ("volume", f"echo v > $V/f; {RUN} -v $V:/v:ro bb:1 sh -c '[ $(cat /v/f) = v ] && ! touch /v/g'"),
    ("volume-named", f"docker volume create lv && {RUN} -v lv:/v bb:1 touch /v/a && {RUN} -v lv:/v bb:1 test -e /v/a && docker volume rm lv"),
    ("volume-rslave", f"{RUN} -v $V:/v:rslave bb:1 true"),
    ("volume-propagation", f"mkdir -p $V/deep && {START} -v $V:/v:rslave bb:1 sleep 50 && mount -t tmpfs late $V/deep && touch $V/deep/late && "
     "docker exec it test -e /v/deep/late" + END.replace("; r=$?", "; r=$?; umount $V/deep")),
    ("volume-rshared", f"{RUN} -v $V:/v:rshared bb:1 true"),
    ("hostname", f"[ $({RUN} --hostname foo bb:1 hostname) = foo ]"),
    ("sysctl", f"[ $({RUN} --sysctl net.ipv4.ip_forward=1 bb:1 cat /proc/sys/net/ipv4/ip_forward) = 1 ]"),
    ("pid-host", f"{RUN} --pid host bb:1 test -d /proc/$$"),
    ("ipc-host", f"{RUN} --ipc host bb:1 true"),
    ("uts-host", f"{RUN} --uts host bb:1 true"),
    ("pid-container", f"{START} bb:1 sleep 50 && {RUN} --pid container:it bb:1 ps | grep -q 'sleep 50'" + END),
    ("ipc-container", f"{START} --ipc shareable bb:1 sleep 50 && {RUN} --ipc container:it bb:1 true" + END),
    ("cgroupns", f"{RUN} --cgroupns private bb:1 cat /proc/self/cgroup"),
    ("workdir", f"[ $({RUN} -w /a/b bb:1 pwd) = /a/b ]"),
    ("entrypoint", "docker rm -f it; docker run -d --name it --runtime=it --network none pause:1 && docker stop -t 3 it && "
     "docker wait it | grep -qx 0" + END),
    ("healthcheck-fails", f"{START} --health-cmd false --health-interval 1s --health-retries 1 bb:1 sleep 50; sleep 3; "
     "docker inspect -f '{{.State.Health.Status}}' it | grep -qx unhealthy" + END),
    ("healthcheck", f"{START} --health-cmd true --health-interval 1s bb:1 sleep 50; sleep 3; "
     "docker inspect -f '{{.State.Health.Status}}' it | grep -qx healthy" + END),
    ("parallel-10", f"for i in 1 2 3 4 5 6 7 8 9 10; do {RUN} bb:1 echo k & done | grep -c k | grep -qx 10"),
    ("daemon-reads-features", "docker info --format '{{json .Runtimes}}' > $V/runtimes && grep -q '\"it\"' $V/runtimes && "
     "{ [ $(docker version -f '{{.Server.Version}}' | cut -d. -f1) -lt 28 ] || grep -q ociVersionMin $V/runtimes; }"),
]

SERVE = "sh -c 'mkdir /w; echo pong > /w/i; exec httpd -f -p 80 -h /w'"
# Debian's static busybox dies in wget when it looks a name up with the host's libraries.
FETCH = "python3 -c 'import sys, urllib.request as u; print(u.build_opener(u.ProxyHandler({})).open(sys.argv[1], timeout=10).read().decode())'"
COMPOSE = """services:
  server: {image: "bb:1", runtime: it, mem_limit: 64m, command: [sh, -c, "mkdir /w; echo pong > /w/i; exec httpd -f -p 80 -h /w"],
    healthcheck: {test: [CMD, test, -e, /w/i], interval: 1s}}
  client: {image: "bb:1", runtime: it, depends_on: {server: {condition: service_healthy}}, command: [sleep, "1000"]}
"""
# Version 1 is a program of its own, 2 a plugin.
RUN_COMPOSE = "compose() { if docker compose version; then docker compose \"$@\"; else docker-compose \"$@\"; fi; } 2> $V/compose.err; cd $V/compose; "
NETWORK = [
    ("net-none", f"[ \"$({RUN} bb:1 ls /sys/class/net)\" = lo ]"),
    ("net-host", "docker run --rm --runtime=it --network host bb:1 ip a | grep -q docker0"),
    ("net-bridge", "docker run --rm --runtime=it bb:1 ip a | grep -q 10.88.77"),
    ("net-publish", f"docker rm -f it; docker run -d --name it --runtime=it -p 127.0.0.1:18080:80 bb:1 {SERVE} && sleep 1 && "
     f"{FETCH} http://127.0.0.1:18080/i | grep -qx pong" + END),
    ("net-container", "docker run -d --name it --runtime=it bb:1 sleep 50 && "
     "docker run --rm --runtime=it --network container:it bb:1 ip a | grep -q 10.88.77" + END),
    ("compose", "mkdir -p $V/compose && printf '%s' '" + COMPOSE + "' > $V/compose/docker-compose.yml && " + RUN_COMPOSE + "compose up -d && "
     "docker inspect -f '{{.HostConfig.Runtime}}' $(docker ps -q) | sort -u | grep -qx it && compose exec -T client hostname && "
     "compose exec -T client sh -c 'echo -e \"GET /i HTTP/1.0\\n\" | nc server 80' | grep -q pong; r=$?; compose down -t 1; exit $r"),
    ("build", "mkdir -p $V/ctx && cp $V/../busybox.tar $V/ctx/ && printf 'FROM scratch\\nADD busybox.tar /\\nRUN echo built > /built\\n' "
     f"> $V/ctx/Dockerfile && DOCKER_BUILDKIT=0 docker build --network none -t built:1 $V/ctx && {RUN} built:1 grep -q built /built"),
    ("buildkit", f"docker buildx version || exit 0; docker build --network none -t built:2 $V/ctx && {RUN} built:2 grep -q built /built"),
]

CASES = BASICS + LIFE + SECURITY + LIMITS + PLACES + NETWORK

# `langsbx execute` inside an ordinary container: Docker's own runtime, its default seccomp profile and capabilities, no --privileged.
INSIDE = "docker run --rm --runtime=real --network none -v $RUNTIME:/langsbx:ro -v $V:/v:ro -v /usr:/usr:ro"
TIER = ("python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); r = (d[\"status\"], d[\"stdout\"], d[\"isolation\"][\"tier\"]); "
        "sys.exit(None if r == (\"completed\", \"42\\n\", \"light\") else str(d))' $V/record")


def inside(user, *options):
    return f"{INSIDE} {user} py:1 /langsbx execute --json {' '.join(options)} /v/good.py > $V/record; {TIER}"


EXECUTE = [
    ("execute-light", inside("", "--isolation", "light")),
    ("execute-light-user", inside("--user 1000:1000", "--isolation", "light")),
    ("execute-automatic", inside("")),
    ("execute-automatic-user", inside("--user 1000:1000") + " && grep -q 'isolation light' $V/record"),
    ("execute-refuses", f"{INSIDE} py:1 /langsbx execute /v/bad.py; [ $? = 126 ]"),
    ("execute-limits", f"{INSIDE} --user 1000:1000 py:1 /langsbx execute --json --timeout 1s /v/wait.py > $V/record; "
     "[ $? = 124 ] && grep -q '\"kill_reason\": \"timeout\"' $V/record"),
    ("execute-other-tiers-say-no", f"{INSIDE} --user 1000:1000 py:1 /langsbx execute --isolation container /v/good.py; [ $? = 125 ]"),
]

# The default runtime, asked by the program's environment or not at all, and one whose flags name a profile.
JUDGED = "docker run --rm --runtime=langsbx-default --network none -v $V:/v:ro py:1"
PLAIN = "docker run --rm --runtime=langsbx --network none -v $V:/v:ro"
JUDGED_BUILD = ("printf 'FROM py:1\\nENV LANGSBX_PROFILE=strict\\nCOPY bad.py /\\nRUN [\"python3\", \"/bad.py\"]\\n' > $V/Dockerfile; "
     "out=$(docker build --network none -t judged:1 $V 2>&1); [ $? != 0 ] && echo \"$out\" | grep '/bad.py:2:'")
GUARD = [
    ("guard-installed", "docker info --format '{{json .Runtimes}}' | grep -q '\"langsbx-default\":{\"path\":'"),
    ("guard-refuses", f"out=$({JUDGED} python3 /v/bad.py 2>&1); [ $? != 0 ] && echo \"$out\" | grep -q '/v/bad.py:2:[0-9]*: error: ' && "
     "! echo \"$out\" | grep -qx harm"),
    # One refusal may be lucky; a daemon that asks before the program's process has ended keeps what it made for ever.
    ("guard-refuses-12-times", f"for i in 1 2 3 4 5 6 7 8 9 10 11 12; do {JUDGED} python3 /v/bad.py 2>&1 | grep -q '/v/bad.py:2:' || exit 1; done"),
    ("guard-names-the-rule", f"{JUDGED} python3 /v/bad.py 2>&1 | grep -qE ' \\[[a-z-]+\\]'"),
    ("guard-refuses-in-lines", f"{JUDGED} python3 /v/bad.py 2>&1 | grep -q '^/v/bad.py:2:[0-9]*: error: '"),
    ("guard-accepts", f"[ $({JUDGED} python3 /v/good.py) = 42 ]"),
    ("guard-tight-layer", "docker run -d --name it --runtime=langsbx-default --network none -v $V:/v:ro py:1 python3 /v/wait.py && sleep 1 && "
     f"{STATE} inspect -f json $(docker inspect -f '{{{{.Id}}}}' it) > $V/inspect.json; cat $V/inspect.json; "
     "python3 -c 'import json,sys; d = json.load(open(sys.argv[1])); assert [l for l in d[\"landlock\"][\"layers\"] if l[\"name\"] == \"program\"], d' $V/inspect.json" + END),
    ("guard-confines-exec", "docker run -d --name it --runtime=langsbx-default --network none -v $V:/v:ro --health-cmd 'echo fine' --health-interval 1s "
     "py:1 python3 /v/wait.py && sleep 3 && docker exec it cat /v/main.py | grep -qx \"print('main')\" && ! docker exec it sh -c 'wget http://x/' && "
     "docker inspect -f '{{.State.Health.Status}}' it | grep -qx healthy" + END),
    ("guard-shell-refused", f"{JUDGED} sh -c 'wget http://localhost/' 2>&1 | grep -q 'command line.*error: '"),
    ("guard-refuses-in-build", "export DOCKER_BUILDKIT=0; " + JUDGED_BUILD),
    ("guard-refuses-in-buildkit", "docker buildx version || exit 0; " + JUDGED_BUILD),
    ("guard-asked-by-environment", f"{PLAIN} -e LANGSBX_PROFILE=strict py:1 python3 /v/bad.py 2>&1 | grep -q '/v/bad.py:2:'"),
    ("guard-only-watches-unasked", f"[ $({PLAIN} py:1 python3 /v/bad.py) = harm ]"),
] + EXECUTE + readme.cases("Docker", "systemctl() { [ \"$*\" = 'reload docker' ] && kill -HUP $(cat $FOLDER/dockerd.pid) && sleep 1; }; ", IMAGE="py:1")
