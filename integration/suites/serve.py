"""langsbx serve: the service over real sockets; what its callers get, and what is left when it ends or is killed."""
import functools
import http.client
import json
import os
import signal
import socket
import subprocess
import time

from harness.case import Failure, contains, each, equal, expect, needs, only, slow

HELLO = {"language": "python", "source": "print(6 * 7)"}
SLOW = {"language": "bash", "source": "echo begun\nsleep 30\n"}


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout=30):
        super().__init__("localhost", timeout=timeout)
        self.unix_path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.unix_path)


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    @property
    def json(self):
        return json.loads(self.body)


class Server:
    """The service, on a Unix socket and, where asked for, on a free port of loopback."""

    def __init__(self, it, *options, tcp=False):
        self.it, self.path = it, f"{it.folder}/serve.sock"
        self.port = free_port() if tcp else None
        self.state = f"{it.folder}/serve-state"
        listen = ["--listen", f"unix:{self.path}"] + (["--listen", f"127.0.0.1:{self.port}"] if tcp else [])
        self.argv = [it.rt.path, "serve", "--state", self.state, *listen, *options]
        self.start()

    def start(self):
        self.log = open(f"{self.it.folder}/serve.log", "ab")
        self.process = subprocess.Popen(self.argv, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.it.until("the service answers", self.answers, 20)

    def answers(self):
        if self.process.poll() is not None:
            raise Failure("the service ended: " + self.text())
        try:
            return self.call("GET", "/healthz").status == 200
        except OSError:
            return False

    def text(self):
        with open(f"{self.it.folder}/serve.log", encoding="utf-8") as handle:
            return handle.read()[-2000:]

    def connection(self, timeout=30):
        return UnixConnection(self.path, timeout * self.it.rt.slow)

    def call(self, method, path, body=None, headers=None, timeout=30):
        connection = self.connection(timeout)
        text = json.dumps(body) if isinstance(body, (dict, list)) else body
        connection.request(method, path, text, {"Content-Type": "application/json", **(headers or {})})
        answer = Answer(connection.getresponse())
        connection.close()
        return answer

    def execute(self, **members):
        return self.call("POST", "/v1/execute", members)

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait(30)
        self.log.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def served(*options, **more):
    """A case gets a running service, which ends with it."""
    def mark(function):
        @functools.wraps(function)
        def run(it, *variant):
            server = Server(it, *options, **more)
            try:
                function(it, server, *variant)
            finally:
                if server.process.poll() is None:
                    server.stop()
            equal(runs_of(server), [], "runs that outlive the service")
        return run
    return mark


def runs_of(server):
    """Processes that work for this service."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as handle:
                words = handle.read().split(b"\0")
        except OSError:
            continue
        if b"--request" in words and any(word.startswith(server.state.encode()) for word in words):
            found.append(int(name))
    return found


@only("langsbx")
@served()
def test_a_program_runs(it, server):
    answer = server.execute(**HELLO)
    equal(answer.status, 200)
    made = answer.json
    equal((made["stdout"], made["exit_code"], made["status"], made["message"]), ("42\n", 0, "completed", "completed"))
    made = server.execute(language="bash", source='read x; echo "$x $1 $A" >&2; exit 3', stdin="in\n", args=["arg"],
                          env={"A": "env"}).json
    equal((made["stderr"], made["exit_code"], made["status"], made["message"]), ("in arg env\n", 3, "failed", "exit code 3"))


@only("langsbx")
@served()
def test_the_guard_and_the_limits_say_why(it, server):
    made = server.execute(language="python", source="import socket\n").json
    equal((made["status"], made["exit_code"]), ("rejected", 126))
    contains(made["message"], "the guard refuses the program: main:1:8")
    made = server.execute(language="bash", source="while true; do :; done", limits={"wall_time_ms": 300}).json
    equal(made["status"], "timeout")
    contains(made["message"], "300")
    made = server.call("POST", "/v1/validate", {"language": "python", "source": "import socket\n"}).json
    equal((made["safe"], len(made["violations"])), (False, 1))
    equal(server.call("POST", "/v1/validate", HELLO).json["safe"], True)


@only("langsbx")
@served()
def test_files_go_in_and_come_out(it, server):
    made = server.execute(language="bash", source="tr a-z A-Z < in.txt > out.txt; printf '\\377' > raw.bin",
                          files=[{"name": "in.txt", "content": "text"}], artifacts=["*.txt", "*.bin"]).json
    files = {file["name"]: file for file in made["files"]}
    equal(files["out.txt"]["content"], "TEXT")
    equal(files["raw.bin"]["content_base64"], "/w==")
    equal(os.listdir(f"{server.state}/spool"), [])


@only("langsbx")
@served()
def test_bytes_that_are_no_text_come_whole(it, server):
    made = server.execute(language="bash", source="printf '\\377\\376'").json
    equal(made["stdout_base64"], "//4=")


@only("langsbx")
@served()
def test_what_is_wrong_is_named(it, server):
    for body, part in (("{", "not JSON"), ({"language": "python"}, "source"), ({**HELLO, "langauge": 1}, "langauge"),
                       ({**HELLO, "limits": {"speed": 1}}, "limits.speed"), ({**HELLO, "args": [1]}, "args[0]"),
                       ({**HELLO, "language": "cobol"}, "cobol"), ({**HELLO, "env": {"A=B": ""}}, "A=B"),
                       ({**HELLO, "files": [{"name": "../x", "content": ""}]}, "files[0].name"),
                       ({**HELLO, "stdin": "", "stdin_base64": ""}, "stdin"), ({**HELLO, "source_base64": ""}, "source"),
                       ({"language": "python", "source_base64": "!"}, "source_base64")):
        answer = server.call("POST", "/v1/execute", body)
        equal(answer.status, 400, str(body))
        contains(answer.json["error"]["message"], part)
    equal(server.execute(**HELLO, network="host").status, 403)
    equal(server.call("GET", "/nothing").status, 404)
    equal(server.call("GET", "/v1/execute").status, 405)


@only("langsbx")
@served()
def test_later(it, server):
    answer = server.call("POST", "/v1/execute", HELLO, {"Prefer": "respond-async"})
    equal(answer.status, 202)
    place = answer.headers["Location"]
    it.until("the result", lambda: server.call("GET", place).json["state"] == "finished")
    equal(server.call("GET", place).json["result"]["stdout"], "42\n")
    server.stop()
    server.start()
    equal(server.call("GET", place).json["result"]["stdout"], "42\n", "after a restart")
    equal(server.call("DELETE", place).status, 204)
    equal(server.call("GET", place).status, 404)


@only("langsbx")
@served()
def test_a_request_that_comes_again_runs_once(it, server):
    body = {"language": "bash", "source": "echo $RANDOM$RANDOM$RANDOM"}
    name = {"Idempotency-Key": "one"}
    first = server.call("POST", "/v1/execute", body, name)
    place = first.headers["Location"]
    it.until("the result", lambda: server.call("GET", place).json["state"] == "finished")
    again = server.call("POST", "/v1/execute", body, name)
    equal((again.status, again.headers["Idempotent-Replayed"]), (200, "true"))
    equal(again.json["result"]["stdout"], server.call("GET", place).json["result"]["stdout"])
    equal(server.call("POST", "/v1/execute", HELLO, name).status, 422)


def events_in(text):
    return [dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
            for block in text.split("\n\n") if block.startswith("id:")]


@only("langsbx")
@served()
def test_streamed(it, server):
    body = {"language": "bash", "source": "echo one; echo two >&2; exit 4"}
    answer = server.call("POST", "/v1/execute", body, {"Accept": "text/event-stream"})
    equal(answer.headers["Content-Type"], "text/event-stream")
    events = events_in(answer.body.decode())
    equal(events[0]["event"], "started")
    seen = {event["event"]: json.loads(event["data"]) for event in events}
    equal((seen["stdout"], seen["stderr"]), ({"text": "one\n"}, {"text": "two\n"}))
    equal(seen["result"]["exit_code"], 4)
    lines = server.call("POST", "/v1/execute", body, {"Accept": "application/x-ndjson"}).body.decode().splitlines()
    equal(json.loads(lines[-1])["data"]["exit_code"], 4)


@only("langsbx")
@served()
def test_a_stream_goes_on_where_it_stopped(it, server):
    body = {"language": "bash", "source": "echo one; sleep 0.3; echo two"}
    place = server.call("POST", "/v1/execute", body, {"Prefer": "respond-async"}).headers["Location"]
    whole = events_in(server.call("GET", place + "/events").body.decode())
    text = "".join(json.loads(event["data"]).get("text", "") for event in whole if event["event"] == "stdout")
    equal(text, "one\ntwo\n")
    rest = events_in(server.call("GET", place + "/events", None, {"Last-Event-ID": whole[0]["id"]}).body.decode())
    equal([event["id"] for event in rest], [event["id"] for event in whole[1:]])


@only("langsbx")
@served()
@each(answer="application/json", stream="text/event-stream")
def test_who_hangs_up_ends_the_run(it, server, form):
    connection = server.connection()
    connection.request("POST", "/v1/execute", json.dumps(SLOW), {"Accept": form})
    it.until("the run", lambda: runs_of(server))
    connection.sock.shutdown(socket.SHUT_RDWR)
    connection.close()
    it.until("its end", lambda: not runs_of(server), 15)
    equal(server.call("GET", "/healthz").status, 200)


@only("langsbx")
@served("--workers", "1", "--waiting", "1")
def test_the_queue_is_bounded(it, server):
    first = server.connection()
    first.request("POST", "/v1/execute", json.dumps(SLOW))
    it.until("the run", lambda: runs_of(server))
    late = server.call("POST", "/v1/execute", {**HELLO, "deadline_ms": 200})
    equal((late.status, late.json["error"]["code"]), (503, "deadline"))
    second = server.connection()
    second.request("POST", "/v1/execute", json.dumps(HELLO))
    it.until("the queue", lambda: b"langsbx_queue_depth 1\n" in server.call("GET", "/metrics").body)
    full = server.call("POST", "/v1/execute", HELLO)
    equal((full.status, full.json["error"]["code"]), (429, "queue_full"))
    expect(int(full.headers["Retry-After"]) >= 1, full.headers["Retry-After"])
    first.close()
    equal(Answer(second.getresponse()).json["stdout"], "42\n", "the one that waited")


@only("langsbx")
@slow(60)
def test_keys(it):
    keys = f"{it.folder}/keys.json"
    add = subprocess.run([it.rt.path, "serve", "key", "add", "--keys", keys, "--name", "ci", "--language", "bash", "--limit",
                          "wall_time_ms=2000"], capture_output=True, text=True, check=True)
    secret = add.stdout.strip()
    server = Server(it, "--keys", keys, tcp=True)
    try:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)

        def call(body, headers):
            connection.request("POST", "/v1/execute", json.dumps(body), headers)
            return Answer(connection.getresponse())
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"X-API-Key": secret + "x"}):
            equal(call(HELLO, headers).status, 401)
            connection.close()
        bearer = {"Authorization": f"Bearer {secret}"}
        equal(call({"language": "bash", "source": "echo hi"}, bearer).json["stdout"], "hi\n")
        equal(call(HELLO, bearer).status, 403)
        connection.close()
        over = {"language": "bash", "source": "echo hi", "limits": {"wall_time_ms": 3000}}
        equal(call(over, bearer).status, 403)
        equal(call({"language": "bash", "source": "echo hi"}, {**bearer, "Host": "evil.example"}).status, 403)
        connection.close()
        expect(secret not in server.text(), "the key is in the log")
        # Taken back, it ends with the request before.
        mine = json.load(open(keys, encoding="ascii"))["keys"][0]["id"]
        subprocess.run([it.rt.path, "serve", "key", "revoke", mine, "--keys", keys], capture_output=True, check=True)
        equal(call({"language": "bash", "source": "echo hi"}, bearer).status, 401)
        connection.close()
        with open(keys, "w", encoding="ascii") as handle:
            handle.write("{")
        equal(call({"language": "bash", "source": "echo hi"}, bearer).status, 401)
        expect("keys" in server.text() and '"fault"' in server.text(), server.text())
    finally:
        server.stop()


@only("langsbx")
def test_other_machines_need_keys(it):
    asked = subprocess.run([it.rt.path, "serve", "--state", f"{it.folder}/s", "--listen", "0.0.0.0:1", "--check"],
                           capture_output=True, text=True, check=False)
    equal(asked.returncode, 1)
    contains(asked.stderr, "keys are needed")


@only("langsbx")
@served()
def test_a_stopped_service_ends_what_waits_and_keeps_results(it, server):
    place = server.call("POST", "/v1/execute", HELLO, {"Prefer": "respond-async"}).headers["Location"]
    it.until("the result", lambda: server.call("GET", place).json["state"] == "finished")
    begin = time.monotonic()
    server.stop()
    expect(time.monotonic() - begin < 5 * it.rt.slow, "an idle service ends at once")
    equal(server.process.returncode, 0)
    expect(not os.path.exists(server.path), "its socket stays")


@only("langsbx")
@needs("root")
@slow(120)
def test_killed_under_load_leaves_nothing(it):
    server = Server(it)
    for _ in range(5):
        callers = []
        for body in (SLOW, HELLO, SLOW, HELLO):
            caller = server.connection()
            caller.request("POST", "/v1/execute", json.dumps(body))
            callers.append(caller)
        it.until("a run", lambda: runs_of(server))
        server.stop(signal.SIGKILL)
        for caller in callers:
            caller.close()
        it.until("the end of the runs", lambda: not runs_of(server), 15)
        server.start()
    equal(server.execute(**HELLO).json["stdout"], "42\n")
    server.stop()


@only("langsbx")
@served()
@slow(60)
def test_broken_requests_take_nothing_along(it, server):
    whole = b"POST /v1/execute HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n" + json.dumps(HELLO).encode().ljust(50)
    for cut in range(0, len(whole), 7):
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(server.path)
            caller.sendall(whole[:cut])
    for garbage in (b"\0" * 100, b"GET / HTTP/9.9\r\n\r\n", b"GET " + b"a" * 20000 + b" HTTP/1.1\r\n\r\n",
                    b"POST /v1/execute HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
                    b"POST /v1/execute HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"):
        with socket.socket(socket.AF_UNIX) as caller:
            caller.settimeout(10 * it.rt.slow)
            caller.connect(server.path)
            try:
                caller.sendall(garbage)
                answer = caller.recv(65536)
            except (BrokenPipeError, ConnectionResetError):
                continue
            expect(answer == b"" or answer.split()[1] in (b"400", b"413", b"431"), answer[:100])
    equal(server.execute(**HELLO).json["stdout"], "42\n")
    it.until("the connections' end", lambda: b"langsbx_connections 1\n" in server.call("GET", "/metrics").body, 10)


@only("langsbx")
@served()
def test_a_connection_takes_many_requests(it, server):
    connection = server.connection()
    for number in range(20):
        connection.request("POST", "/v1/execute", json.dumps({"language": "bash", "source": f"echo {number}"}))
        equal(Answer(connection.getresponse()).json["stdout"], f"{number}\n")
    connection.close()


@only("langsbx")
@served()
def test_ready_and_metrics(it, server):
    connections = [server.connection() for _ in range(20)]
    for connection in connections:
        connection.request("GET", "/readyz")
    for connection in connections:
        equal(Answer(connection.getresponse()).json["status"], "ready")
        connection.close()
    text = server.call("GET", "/metrics").body.decode()
    contains(text, 'langsbx_executions_total{language="bash",tier="container",status="completed"} 1')
    equal(server.call("GET", "/openapi.json").json["openapi"], "3.1.0")
