"""CRI: containerd's CRI plugin with a runtime handler, as a kubelet with a RuntimeClass uses it."""
import json
import os
import time

from . import grpc, image
from .engine import Engine
from .stream import Stream

CONFIG = """version = 2
root = "{f}/root"
state = "{f}/state"
oom_score = 0
[grpc]
  address = "{f}/containerd.sock"
[ttrpc]
  address = "{f}/containerd.sock.ttrpc"
[plugins."io.containerd.internal.v1.opt"]
  path = "{f}/opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:1"
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "{f}/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "{default}"
"""
# install takes the cgroup driver of the default handler.
SYSTEMD_DEFAULT = """
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = true
"""
# What `install` writes, for runtimes that have no such command.
HANDLER = """
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.it]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.it.options]
        BinaryName = "{runtime}"
        SystemdCgroup = {systemd}
"""
CNI = """{{"cniVersion": "0.4.0", "name": "it", "plugins": [{{"type": "bridge", "bridge": "it0", "isGateway": true,
 "ipam": {{"type": "host-local", "dataDir": "{f}/ipam", "ranges": [[{{"subnet": "10.88.79.0/24"}}]]}}}}]}}"""
NODE = 2
HOST_TO_CONTAINER, BIDIRECTIONAL = 1, 2
SERVICE = "/runtime.v1.RuntimeService/"


class Cri(Engine):
    NAME, PROGRAM = "cri", "containerd"
    cgroups = ("langsbx-it-cri",)
    states = ("/run/containerd/runc/k8s.io",)
    STATE = "/run/containerd/runc/k8s.io"  # the runtime's --root
    pods = 0
    parent = "langsbxit.slice" if Engine.driver == "systemd" else f"/langsbx-it-cri/{os.getpid()}"

    def start(self):
        f = self.folder
        os.makedirs(f"{f}/cni")
        os.makedirs(f"{f}/etc/containerd")
        systemd = self.driver == "systemd"
        handler = (SYSTEMD_DEFAULT if systemd else "") + ("" if self.judges else HANDLER)
        for name, text in (("etc/containerd/config.toml", CONFIG + handler), ("cni/10-it.conflist", CNI)):
            with open(f"{f}/{name}", "w", encoding="ascii") as handle:
                handle.write(text.format(f=f, runtime=self.runtime, default="runc" if systemd else "it", systemd=str(systemd).lower()))
        if self.judges:
            self.install("--for", "containerd", "--name", "it")
        self.background(["containerd", "-c", f"{f}/etc/containerd/config.toml"], f"{f}/containerd.log")
        self.env["C"] = f"ctr -a {f}/containerd.sock -n k8s.io"
        self.wait_until("$C version")
        self.load("$C images import", image.archives(f, self.judges))

    def stop(self):
        self.sh("for t in $($C task ls -q); do $C task kill -s KILL $t; done; sleep 0.5; "
                "for t in $($C task ls -q); do $C task rm -f $t; done")
        super().stop()

    def call(self, method, fields):
        try:
            return grpc.decode(grpc.call(f"{self.folder}/{self.PROGRAM}.sock", SERVICE + method, grpc.encode(fields)))
        except grpc.CallFailed as fault:
            with open(f"{self.folder}/{self.PROGRAM}.log", encoding="utf-8", errors="replace") as log:
                last = [line for line in log if "level=error" in line or "Response error" in line][-1:]
            raise AssertionError(f"{fault}: {last}") from None

    def pod(self, host_network=True, annotations=None, privileged=False):
        self.pods += 1
        security = {1: {1: NODE if host_network else 0}, 6: privileged}
        self.pod_config = {1: {1: f"pod{self.pods}", 2: f"uid{self.pods}", 3: "default"}, 3: self.folder,
                           7: ("map", annotations or {}), 8: {1: self.parent, 2: security}}
        if not host_network:
            self.pod_config[2] = "podhost"
        return self.call("RunPodSandbox", {1: self.pod_config, 2: "it"})[1][0].decode()

    def container(self, pod, script, linux=None, **more):
        return self.start_container(pod, {3: ["sh", "-c", script], 15: linux or {}}, **more)

    def start_container(self, pod, fields, image="bb"):
        config = {1: {1: "c"}, 2: {1: f"localhost/{image}:1", 18: f"localhost/{image}:1"}, 11: "c.log", 15: {}, **fields}
        made = self.call("CreateContainer", {1: pod, 2: config, 3: self.pod_config})[1][0].decode()
        self.call("StartContainer", {1: made})
        return made

    def stream(self, method, fields):
        return Stream(self.call(method, fields)[1][0].decode())

    def log(self):
        with open(f"{self.folder}/c.log", encoding="utf-8") as handle:
            return handle.read()

    def execute(self, container, *words):
        """(exit code, stdout)"""
        reply = self.call("ExecSync", {1: container, 2: list(words), 3: 10})
        return reply.get(3, [0])[0], reply.get(1, [b""])[0].decode().strip()

    def status(self, container):
        return grpc.decode(self.call("ContainerStatus", {1: container})[1][0])

    def remove(self, pod):
        self.call("StopPodSandbox", {1: pod})
        self.call("RemovePodSandbox", {1: pod})


def check(condition, text):
    if not condition:
        raise AssertionError(text)


def wait_for(condition, text, seconds=20):
    end = time.monotonic() + seconds * Cri.slow
    while not condition():
        check(time.monotonic() < end, text)
        time.sleep(0.1)


def version(cri):
    check(cri.call("Version", {})[2][0].decode() in ("containerd", "cri-o"), "no version")


def pod_life(cri):
    pod = cri.pod()
    box = cri.container(pod, "echo started; sleep 100")
    check(cri.status(box)[3] == [1], "not running")
    check(cri.execute(box, "echo", "in") == (0, "in"), "exec")
    check(cri.execute(box, "sh", "-c", "exit 3")[0] == 3, "exit code of exec")
    with open(f"{cri.folder}/c.log", encoding="utf-8") as log:
        check("stdout F started" in log.read(), "log")
    cri.call("StopContainer", {1: box, 2: 1})
    end = cri.status(box)
    # The pod shares its pid namespace: TERM ends the program, unless it is pid 1.
    check(end.get(3) == [2] and end.get(7) in ([137], [143]), f"state and exit code {end.get(3)} {end.get(7)}")
    cri.call("RemoveContainer", {1: box})
    cri.remove(pod)


def exit_code(cri):
    pod = cri.pod()
    box = cri.container(pod, "exit 7")
    wait_for(lambda: cri.status(box)[3] == [2], "it goes on")
    check(cri.status(box).get(7) == [7], "exit code")
    cri.remove(pod)


def limits_and_update(cri):
    pod = cri.pod()
    box = cri.container(pod, "sleep 100", {1: {1: 100000, 2: 50000, 3: 512, 4: 67108864}})
    read = "cat /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max 2>/dev/null; true"
    check(cri.execute(box, "sh", "-c", read)[1] == "67108864", "memory")
    cri.call("UpdateContainerResources", {1: box, 2: {4: 33554432, 10: 33554432}})
    check(cri.execute(box, "sh", "-c", read)[1] == "33554432", "memory after update")
    cri.remove(pod)


def stats(cri):
    pod = cri.pod()
    box = cri.container(pod, "sleep 100")
    reply = grpc.decode(cri.call("ContainerStats", {1: box})[1][0])
    check(2 in reply and 3 in reply, "no cpu or memory figures")
    cri.remove(pod)


def security_context(cri):
    pod = cri.pod()
    box = cri.container(pod, "sleep 100", {2: {5: {1: 1000}, 7: True, 11: True}})
    check(cri.execute(box, "id", "-u")[1] == "1000", "user")
    check(cri.execute(box, "sh", "-c", "touch /x")[0] != 0, "read-only")
    check("NoNewPrivs:\t1" in cri.execute(box, "cat", "/proc/self/status")[1], "no new privileges")
    cri.remove(pod)


def pod_network(cri):
    pod = cri.pod(host_network=False)
    box = cri.container(pod, "sleep 100")
    check("10.88.79." in cri.execute(box, "ip", "a")[1], "address")
    check(cri.execute(box, "hostname")[1] == "podhost", "hostname")
    cri.remove(pod)


def start_error(cri):
    pod = cri.pod()
    config = {1: {1: "c"}, 2: {1: "localhost/bb:1", 18: "localhost/bb:1"}, 3: ["/nope"], 11: "c.log", 15: {}}
    try:
        made = cri.call("CreateContainer", {1: pod, 2: config, 3: cri.pod_config})[1][0].decode()
        cri.call("StartContainer", {1: made})
        check(False, "started")
    except AssertionError as fault:
        check("no such file or directory" in str(fault), f"text: {fault}")
    cri.remove(pod)


def exec_stream(cri):
    pod = cri.pod()
    box = cri.container(pod, "sleep 100")
    stream = cri.stream("Exec", {1: box, 2: ["sh", "-c", "read x; echo got-$x; echo bad >&2"], 4: True, 5: True, 6: True})
    stream.send(0, b"word\n")
    check(b"got-word" in stream.until(b"got-word"), "stdin and stdout")
    check(b"Success" in stream.until(b"Success", 3), "status")
    stream.close()
    stream = cri.stream("Exec", {1: box, 2: ["tty"], 3: True, 4: True, 5: True})
    check(b"/dev/pts/" in stream.until(b"/dev/pts/"), "terminal")
    stream.close()
    cri.remove(pod)


def attach(cri):
    pod = cri.pod()
    box = cri.start_container(pod, {3: ["sh", "-c", "while read x; do echo got-$x; done"], 12: True})
    stream = cri.stream("Attach", {1: box, 2: True, 4: True, 5: True})
    stream.send(0, b"word\n")
    check(b"got-word" in stream.until(b"got-word"), "nothing came back")
    stream.close()
    wait_for(lambda: "stdout F got-word" in cri.log(), "log")
    cri.remove(pod)


def port_forward(cri):
    pod = cri.pod(host_network=False)
    box = cri.container(pod, "mkdir /w; echo pong > /w/i; exec httpd -f -p 80 -h /w")
    wait_for(lambda: cri.execute(box, "wget", "-qO-", "http://127.0.0.1/i")[1] == "pong", "the server did not start")
    stream = cri.stream("PortForward", {1: pod, 2: 80})
    stream.send(0, b"GET /i HTTP/1.0\r\n\r\n")
    check(b"pong" in stream.until(b"pong", 0), "no answer")
    stream.close()
    cri.remove(pod)


def two_containers(cri):
    pod = cri.pod(host_network=False)
    first = cri.container(pod, "exec sleep 4321")
    second = cri.start_container(pod, {1: {1: "d"}, 3: ["sleep", "1234"]})
    check("sleep 4321" in cri.execute(second, "ps")[1], "the pod's pid namespace")
    check(cri.execute(first, "readlink", "/proc/self/ns/net") == cri.execute(second, "readlink", "/proc/self/ns/net"), "one network")
    cri.remove(pod)


def shared_folder(cri, name):
    """A folder of the host on a mount of its own, shared as a CSI driver's is."""
    folder = f"{cri.folder}/{name}"
    code, text = cri.sh(f"mkdir {folder} && mount -t tmpfs tmpfs {folder} && mount --make-rshared {folder} && mkdir {folder}/in {folder}/late")
    check(code == 0, text)
    return folder


def mount_reaches_host(cri, pod, more, name):
    """What a CSI driver does; the host sees it, and nobody holds it when the pod is gone."""
    folder = shared_folder(cri, name)
    box = cri.start_container(pod, {3: ["sleep", "100"], 7: {1: "/s", 2: folder, 5: BIDIRECTIONAL}, 15: {2: more}})
    code, text = cri.execute(box, "sh", "-c", "mount -t tmpfs deep /s/in && touch /s/in/made && mount -t tmpfs gone /s/late && umount /s/late")
    check(code == 0, f"mount: {text}")
    check(os.path.exists(f"{folder}/in/made") and not os.path.ismount(f"{folder}/late"), "what the host sees")
    cri.sh(f"mount -t tmpfs later {folder}/late && touch {folder}/late/made")
    check(cri.execute(box, "test", "-e", "/s/late/made")[0] == 0, "the host's mount does not reach the container")
    cri.remove(pod)
    code, text = cri.sh(f"umount {folder}/in && umount {folder}/late && umount {folder}")
    check(code == 0, f"busy after the pod: {text}")


def mount_propagation(cri):
    mount_reaches_host(cri, cri.pod(annotations={"io.langsbx.landlock": "off"}), {1: {1: "SYS_ADMIN"}}, "shared")


def mount_of_privileged(cri):
    """A CSI driver's pod, without an annotation of ours."""
    mount_reaches_host(cri, cri.pod(privileged=True), {2: True}, "privileged")


def mount_from_host(cri):
    folder = shared_folder(cri, "slave")
    pod = cri.pod()
    box = cri.start_container(pod, {3: ["sleep", "100"], 7: {1: "/s", 2: folder, 5: HOST_TO_CONTAINER}})
    cri.sh(f"mount -t tmpfs later {folder}/late && touch {folder}/late/made")
    check(cri.execute(box, "test", "-e", "/s/late/made")[0] == 0, "the host's mount does not reach the container")
    cri.remove(pod)
    code, text = cri.sh(f"umount {folder}/late && umount {folder}")
    check(code == 0, f"busy after the pod: {text}")


def handler_features(cri):
    """What `features` says reaches the kubelet; containerd asks from version 2 on."""
    handlers = [grpc.decode(handler) for handler in cri.call("Status", {}).get(3, [])]
    features = [grpc.decode(handler[2][0]) for handler in handlers if handler.get(1) == [b"it"] and 2 in handler]
    check(not handlers or features == [{1: [1], 2: [1]}], f"recursive read-only mounts, user namespaces: {handlers}")


def runtime_state(cri):
    pod = cri.pod()
    box = cri.container(pod, "sleep 100")
    code, text = cri.sh(f"$RUNTIME --root {cri.STATE} state {box} | grep running && $RUNTIME --root {cri.STATE} events --stats {box} | grep memory")
    check(code == 0, text)
    cri.remove(pod)


CASES = [(f.__name__.replace("_", "-"), f) for f in (version, pod_life, exit_code, limits_and_update, stats, security_context,
                                                     pod_network, start_error, exec_stream, attach, port_forward, two_containers, mount_propagation,
                                                     mount_of_privileged, mount_from_host, handler_features, runtime_state)]

ENFORCE = {"io.langsbx.guard": "enforce", "io.langsbx.profile": "default"}


def judged(cri, pod, name, **fields):
    mount = {1: "/v", 2: cri.env["V"], 3: True}
    return cri.start_container(pod, {3: ["python3", f"/v/{name}"], 7: mount, **fields.get("fields", {})}, image="py")


def guard_refuses(cri, where="pod"):
    """The annotation stands at the pod or at the container; the findings are in the error that the kubelet shows."""
    pod = cri.pod(annotations=ENFORCE if where == "pod" else {})
    try:
        judged(cri, pod, "bad.py", fields={10: ("map", ENFORCE)} if where == "container" else {})
        check(False, "started")
    except AssertionError as fault:
        check("/v/bad.py:2:" in str(fault), f"text: {fault}")
    cri.remove(pod)


def guard_refuses_by_container(cri):
    guard_refuses(cri, "container")


def guard_accepts(cri):
    pod = cri.pod(annotations=ENFORCE)
    box = judged(cri, pod, "wait.py")
    wait_for(lambda: "up" in cri.log(), "the program did not run")
    made = json.loads(cri.sh(f"$RUNTIME --root {cri.STATE} inspect -f json {box}")[1])
    check("program" in [layer["name"] for layer in made["landlock"]["layers"]], f"no tight layer: {made}")
    cri.remove(pod)


def guard_confines_probes(cri):
    """What a liveness probe, `kubectl exec POD -- ls` and `kubectl cp` run; code given to an interpreter is judged."""
    pod = cri.pod(annotations=ENFORCE)
    box = judged(cri, pod, "wait.py")
    wait_for(lambda: "up" in cri.log(), "the program did not run")
    check(cri.execute(box, "cat", "/v/main.py") == (0, "print('main')"), "a probe")
    check("main.py" in cri.execute(box, "ls", "/v")[1], "ls")
    check("main.py" in cri.execute(box, "tar", "cf", "-", "-C", "/v", "main.py")[1], "tar")
    code, text = cri.sh(f"$RUNTIME --root {cri.STATE} exec {box} sh -c 'wget http://localhost/'")
    check(code != 0 and "error: " in text, f"judged: {text}")
    cri.remove(pod)


GUARD = [(f.__name__.replace("_", "-"), f) for f in (guard_refuses, guard_refuses_by_container, guard_accepts, guard_confines_probes)]
