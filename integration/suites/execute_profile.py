"""langsbx execute: what a profile's network, landlock and stages do there."""
import json
import socket

from harness.case import contains, each, equal, expect, needs, only

PROFILE = ("name: mine\nlanguage: python\ndescription: For this test.\ncapabilities:\n  allow: [threads, files.read, files.write, network.connect]\n"
           "seccomp: python\nstages: {{guard: observe}}\n{}\n")
CONNECTS = """import socket
import sys
for port in sys.argv[1:]:
    with socket.socket() as end:
        end.settimeout(5)
        try:
            end.connect(("127.0.0.1", int(port)))
            print("open")
        except OSError as fault:
            print(type(fault).__name__)
"""


class Case:
    def __init__(self, it, lines):
        self.it = it
        self.profile = self.write("profile.yaml", PROFILE.format(lines))

    def write(self, name, text):
        path = f"{self.it.folder}/{name}"
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(text)
        return path

    def run(self, code, *options, args=()):
        return self.it.rt("execute", "--json", "--profile", self.profile, *options, self.write("main.py", code), "--", *args)

    def record(self, code, *options, args=()):
        result = self.run(code, *options, args=args)
        expect(result.out.startswith("{"), f"no record: {result.text[-600:]}")
        return json.loads(result.out)


@only("langsbx")
@needs("landlock:4")
@each(container="container", light="light")
def test_network(it, tier):
    """The profile gives the host's network, `--network` takes it, and its ports are the only ones."""
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        ports = [str(end.getsockname()[1]) for end in (one, other)]
        case = Case(it, f"network: host\nlandlock: {{connect_tcp: [{ports[0]}]}}")
        equal(case.record(CONNECTS, "--isolation", tier, args=ports)["stdout"], "open\nPermissionError\n")
        expect("open" not in case.record(CONNECTS, "--isolation", tier, "--network", "none", args=ports)["stdout"], "named")
        case = Case(it, "network: container")
        expect("open" not in case.record(CONNECTS, "--isolation", tier, args=ports)["stdout"], "container")


@only("langsbx")
def test_proxy_needs_hosts(it):
    Case(it, "network: proxy").run("print(1)\n").fails("profile mine: network: proxy needs --allow-host")


@only("langsbx")
def test_landlock_stays(it):
    made = Case(it, "").record("print(1)\n")
    equal([w for w in made["warnings"] if "stages.landlock" in w], [])
    path = it.folder + "/observing.yaml"
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(PROFILE.format("").replace("{guard: observe}", "{guard: observe, landlock: observe}"))
    result = it.rt("execute", "--json", "--profile", path, f"{it.folder}/main.py")
    contains(json.loads(result.out)["warnings"], "stages.landlock: observe: what is run here keeps its layer")
