"""langsbx execute --network proxy: allowed hosts and nothing else, as root and as a plain user."""
import json
import os
import signal
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from harness.case import contains, each, equal, expect, needs, only, slow

USER = 12345
WHO = {"root": False, "user": True}
FETCH = """import sys
import urllib.request
for url in sys.argv[1:]:
    try:
        print(urllib.request.urlopen(url, timeout=20).read().decode())
    except Exception as fault:
        print(fault)
"""
TUNNEL = """import http.client
import sys
host, port = sys.argv[1].split(':')
line = http.client.HTTPConnection('127.0.0.1', 3128)
line.set_tunnel(host, int(port))
line.request('POST', '/', 'abc' * 200000)
print(len(line.getresponse().read()))
"""
AROUND = """import socket
import sys
for host, port in (('127.0.0.1', int(sys.argv[1])), ('127.0.0.1', 3129), ('192.0.2.1', 3128)):
    try:
        socket.create_connection((host, port), 2)
        print('got')
    except OSError as fault:
        print('refused')
mail = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
try:
    mail.sendto(b'x', ('192.0.2.1', 53))
    print('got')
except OSError:
    print('refused')
"""


class Page(BaseHTTPRequestHandler):
    def answer(self, data):
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.answer(f"page {self.path} of {self.headers['Host']}".encode())

    def do_POST(self):
        self.answer(self.rfile.read(int(self.headers["Content-Length"])))

    def log_message(self, *_):
        pass


class Net:
    """A server of this machine, and the runtime as root or as a plain user."""

    def __init__(self, it, user):
        self.it, self.user, self.serial = it, user, 0
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.folder = f"{it.folder}/net"
        os.mkdir(self.folder)
        if user:
            os.chown(self.folder, USER, USER)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def argv(self, code, options, args):
        self.serial += 1
        path = f"{self.folder}/main{self.serial}.py"
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(code)
        prefix = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all"] if self.user else []
        return [*prefix, self.it.rt.path, "--root", f"{self.folder}/state", "execute", "--json", *options, path, "--", *args]

    def record(self, code, options, *args):
        result = self.it.rt(argv=self.argv(code, ("--network", "proxy", *options), args), cwd=self.folder, timeout=60)
        expect(result.out.startswith("{"), f"no record: {result.text[-500:]}")
        return json.loads(result.out)


@only("langsbx")
@needs("path:/usr/bin/python3")
@each(**WHO)
@slow(60)
def test_allowed_and_refused(it, user):
    with Net(it, user) as net:
        here, events = f"127.0.0.1:{net.port}", f"{net.folder}/events"
        made = net.record(FETCH, ("--allow-host", here, "--allow-host", "*.example", "--events", events), f"http://{here}/a",
                          f"http://localhost:{net.port}/b", "http://169.254.169.254/latest", "http://127.0.0.1:1/")
        equal(made["stdout"].splitlines(), [f"page /a of {here}"] + ["HTTP Error 403: Forbidden"] * 3, made["stderr"][-500:])
        equal([v["type"] for v in made["violations"]], ["network_refused"] * 3)
        contains(made["violations"][1]["reason"], "169.254.169.254:80 is not an allowed host")
        expect("network" in made["enforced"]["namespaces"], made["enforced"])
        with open(events, encoding="utf-8") as handle:
            lines = [json.loads(line) for line in handle]
        asked = [(e["method"], e["host"], e["port"], e["allowed"]) for e in lines if e.get("event") == "network"]
        equal(asked, [("GET", "127.0.0.1", net.port, True), ("GET", "localhost", net.port, False),
                      ("GET", "169.254.169.254", 80, False), ("GET", "127.0.0.1", 1, False)])
        equal([f["finding"]["types"] for f in lines if f.get("class_uid") == 2001], [["network"]] * 3)


@only("langsbx")
@needs("path:/usr/bin/python3")
@each(**WHO)
@slow(60)
def test_tunnel(it, user):
    with Net(it, user) as net:
        made = net.record(TUNNEL, ("--allow-host", f"127.0.0.1:{net.port}"), f"127.0.0.1:{net.port}")
        equal(made["stdout"], "600000\n", made["stderr"][-500:])


@only("langsbx")
@needs("path:/usr/bin/python3")
@each(**WHO)
@slow(60)
def test_no_way_around(it, user):
    with Net(it, user) as net:
        made = net.record(AROUND, ("--allow-host", f"127.0.0.1:{net.port}", "--allow-host", "*"), str(net.port))
        equal(made["stdout"].split(), ["refused"] * 4, made["stderr"][-500:])


@only("langsbx")
@needs("path:/usr/bin/python3")
@slow(60)
def test_setup_asks_the_proxy_too(it):
    with Net(it, False) as net:
        ask = f"printf 'GET http://127.0.0.1:{net.port}/%s HTTP/1.0\\r\\n\\r\\n' $1 >&3; cat <&3 > $1"
        made = net.record("print(open('good').read().splitlines()[-1])\n",
                          ("--allow-host", f"127.0.0.1:{net.port}", "--setup",
                           f"set -- good; exec 3<> /dev/tcp/127.0.0.1/3128; {ask}; "
                           f"! (exec 3<> /dev/tcp/127.0.0.1/{net.port}) 2> /dev/null"))
        equal(made["stdout"], f"page /good of 127.0.0.1:{net.port}\n", f"{made['stderr'][-500:]} {made['status']}")


@only("langsbx")
@needs("landlock:1")
@each(light="light", off="off")
def test_other_tiers_refuse(it, tier):
    with Net(it, False) as net:
        words = net.argv("print(1)\n", ("--network", "proxy", "--allow-host", "*", "--isolation", tier), ())
        it.rt(argv=words).fails("--network proxy needs a container")


@only("langsbx")
@each(alone=("--network", "proxy"), list_alone=("--allow-host", "a"), nonsense=("--network", "proxy", "--allow-host", "http://a"),
      word=("--network", "some"))
def test_options(it, options):
    with Net(it, False) as net:
        result = it.rt(argv=net.argv("print(1)\n", options, ()))
        equal(result.code, 125, result.text)


@only("langsbx")
@needs("path:/usr/bin/python3")
@slow(60)
def test_the_proxy_ends_with_us(it):
    with Net(it, False) as net:
        code = "import time\nprint('ready', flush=True)\ntime.sleep(100)\n"
        child = it.background(net.argv(code, ("--network", "proxy", "--allow-host", "*"), ()))

        def proxies():
            found = []
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as handle:
                        parent = int(handle.read().rsplit(")", 1)[1].split()[1])
                    if parent == child.pid and is_proxy(pid):
                        found.append(int(pid))
                except OSError:
                    pass
            return found

        it.until("the proxy", proxies, 30)
        pids = proxies()
        child.send_signal(signal.SIGKILL)
        child.wait()
        it.until("its end", lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids), 20)


def is_proxy(pid):
    """It alone of our children is in our pid namespace and has another user."""
    with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as handle:
        status = dict(line.split(":\t", 1) for line in handle.read().splitlines() if ":\t" in line)
    return len(status["NSpid"].split()) == 1 and status["Uid"].split()[0] != "0"


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as handle:
        return [int(word) for word in handle.read().split()]


def caught_before_its_start(it, net):
    """The runtime, and the sandbox's process 1, stopped while it waits for the proxy. None: it was faster."""
    supervisor = it.background(net.argv("import time\ntime.sleep(1000)\n", ("--network", "proxy", "--allow-host", "x.example"), ()),
                               cwd=net.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    made = []
    while len(made) < 2 and supervisor.poll() is None:  # process 1 is the first, the proxy the second
        made = children(supervisor.pid)
    first = made[0]
    os.kill(first, signal.SIGSTOP)
    if not children(first):
        return supervisor, first
    supervisor.kill()
    supervisor.wait()
    os.kill(first, signal.SIGKILL)
    return None, None


@only("langsbx")
@needs("path:/usr/bin/python3")
@slow(60)
def test_killed_before_the_program_starts(it):
    """Told to start, process 1 finds that nobody holds the limits any more."""
    with Net(it, False) as net:
        supervisor = None
        while supervisor is None:
            supervisor, first = caught_before_its_start(it, net)
        time.sleep(0.3 * it.settings.slow)  # it is told to start meanwhile
        supervisor.kill()
        supervisor.wait()
        os.kill(first, signal.SIGCONT)
        it.until("process 1 to end", lambda: not os.path.exists(f"/proc/{first}"))
