"""langsbx serve: interfaces that others have built, with the requests and answers of theirs."""
import base64

from harness.case import contains, equal, expect, only
from suites.serve import Server, served


@only("langsbx")
@served()
def test_code_sandbox(it, server):
    def post(body):
        answer = server.call("POST", "/execute", body)
        return answer.status, answer.json
    equal(post({"code": "print(1)"}), (200, {"stdout": "1\n", "stderr": "", "exit_code": 0, "timed_out": False}))
    equal(post({"code": "  \n"}), (400, {"error": "No code provided"}))
    status, body = post({"code": "import socket\n"})
    equal((status, body["error"]), (400, "Code validation failed"))
    expect(body["violations"][0].startswith("Line 1: "), body)
    equal(post({"code": "while True: pass", "timeout": 0.3})[1]["timed_out"], True)
    for timeout in (0, 31, "x"):
        equal(post({"code": "print(1)", "timeout": timeout})[0], 422)
    equal(server.call("GET", "/healthz").json, {"status": "ok"})
    equal(sorted(server.call("GET", "/profile").json),
          ["allowed_imports", "blocklist_entries", "description", "name", "scan_stages"])


@only("langsbx")
@served()
def test_piston(it, server):
    def post(body, **more):
        answer = server.call("POST", "/api/v2/execute", body, **more)
        return answer.status, answer.json
    runtimes = {entry["language"]: entry for entry in server.call("GET", "/api/v2/runtimes").json}
    version = runtimes["python"]["version"]
    status, made = post({"language": "py", "version": "3.x", "files": [{"name": "a.py", "content": "print(input())"}],
                         "stdin": "hello", "args": ["x"]})
    equal((status, made["language"], made["version"]), (200, "python", version))
    equal({name: made["run"][name] for name in ("stdout", "stderr", "output", "code", "signal", "status", "message")},
          {"stdout": "hello\n", "stderr": "", "output": "hello\n", "code": 0, "signal": None, "status": None, "message": None})
    run = post({"language": "python", "version": "*", "files": [{"content": "while True: pass"}], "run_timeout": 300})[1]["run"]
    equal((run["status"], run["signal"], run["code"]), ("TO", "SIGKILL", None))
    run = post({"language": "python", "version": "*", "files": [{"content": "import socket"}]})[1]["run"]
    equal((run["status"], run["code"]), ("RE", 126))
    contains(run["stderr"], "socket")
    made = post({"language": "c", "version": "*", "files": [{"content": "int main(void) { return 2 }"}]})[1]
    expect(made["compile"]["code"] != 0 and made["run"] == made["compile"], made)
    more = [{"content": "print(open('b.txt').read())"}, {"name": "b.txt", "content": "SGk=", "encoding": "base64"}]
    equal(post({"language": "python", "version": "*", "files": more})[1]["run"]["stdout"], "Hi\n")
    for body, message in (({}, "language is required as a string"), ({"language": "python"}, "version is required as a string"),
                          ({"language": "python", "version": "*"}, "files is required as an array"),
                          ({"language": "python", "version": "*", "files": [{}]}, "files[0].content is required as a string"),
                          ({"language": "python", "version": "9.9", "files": []}, "python-9.9 runtime is unknown"),
                          ({"language": "python", "version": "*", "files": []}, "files must include at least one utf8 encoded file"),
                          ({"language": "python", "version": "*", "files": [{"content": ""}], "run_timeout": "1"},
                           "If specified, run_timeout must be a number"),
                          ({"language": "python", "version": "*", "files": [{"content": ""}], "run_timeout": -1},
                           "run_timeout must be non-negative")):
        equal(post(body), (400, {"message": message}))
    equal(post("{}", headers={"Content-Type": "text/plain"}), (415, {"message": "requests must be of type application/json"}))


@only("langsbx")
@served()
def test_sandbox_fusion(it, server):
    def post(**body):
        return server.call("POST", "/run_code", body).json
    text = base64.b64encode(b"data").decode()
    made = post(code="open('b.txt', 'w').write(open('a.txt').read() * 2); print(1)", language="python", files={"a.txt": text},
                fetch_files=["b.txt"])
    equal((made["status"], made["message"], made["run_result"]["status"], made["run_result"]["return_code"]),
          ("Success", "", "Finished", 0))
    equal(base64.b64decode(made["files"]["b.txt"]), b"datadata")
    made = post(code="while True: pass", language="python", run_timeout=0.3)
    equal((made["status"], made["run_result"]["status"]), ("Failed", "TimeLimitExceeded"))
    made = post(code="raise SystemExit(3)", language="python")
    equal((made["status"], made["run_result"]["return_code"], made["message"]), ("Failed", 3, "exit code 3"))
    made = post(code="int main(void) { return 2 }", language="cpp")
    equal((made["status"], made["run_result"]), ("Failed", None))
    expect(made["compile_result"]["return_code"] != 0, made)
    equal(server.call("GET", "/v1/ping").json, "pong")


@only("langsbx")
@served()
def test_snekbox(it, server):
    def post(**body):
        answer = server.call("POST", "/eval", body)
        return answer.status, answer.json
    equal(post(input="print(1)"), (200, {"stdout": "1\n", "returncode": 0, "files": []}))
    code = base64.b64encode(b"import sys\nopen('o.txt', 'w').write(sys.argv[1])\n").decode()
    status, made = post(args=["main.py", "arg"], files=[{"path": "main.py", "content": code}])
    equal((status, made["returncode"], made["files"]),
          (200, 0, [{"path": "o.txt", "size": 3, "content": base64.b64encode(b"arg").decode()}]))
    status, made = post(input="import socket")
    equal((status, made["returncode"]), (200, 1))
    contains(made["stdout"], "socket")
    equal(post(nothing=1)[0], 400)


@only("langsbx")
@served()
def test_dify(it, server):
    def post(**body):
        answer = server.call("POST", "/v1/sandbox/run", body, {"X-Api-Key": "dify-sandbox"})
        return answer.status, answer.json
    status, made = post(language="python3", code="print(x)", preload="x = 5", enable_network=True)
    equal((status, made["code"], made["message"], made["data"]["stdout"]), (200, 0, "success", "5\n"))
    equal(post(language="python3", code="import socket")[1]["code"], -400)
    equal(post(language="cobol", code="")[1]["code"], -400)
    equal(server.call("GET", "/health").json, "ok")


@only("langsbx")
@served()
def test_blue(it, server):
    def post(**body):
        answer = server.call("POST", "/api/v1/sandbox/execute", body)
        return answer.status, answer.json
    status, made = post(command="echo", args=["hello", "it's me"])
    equal((status, made["status"], made["exit_code"], made["stdout"], "error" in made), (200, "completed", 0, "hello it's me\n", False))
    equal(sorted(made["resource_usage"]), ["cpu_time_ns", "io_read_bytes", "io_write_bytes", "memory_peak_bytes"])
    expect(made["duration"] >= 0 and made["start_time"] <= made["end_time"], made)
    equal(server.call("GET", f"/api/v1/sandbox/status/{made['id']}").json, made)
    equal(post(command="cat", stdin="given")[1]["stdout"], "given")
    made = post(command="python3", args=["-c", "import os; print(os.environ['A'])"], env={"A": "1"})[1]
    equal(made["stdout"], "1\n")
    made = post(command="python3", args=["-c", "import socket"])[1]
    equal((made["status"], made["exit_code"]), ("failed", 126))
    contains(made["stderr"] + made["error"], "socket")
    equal(post(command="python3", args=["-c", "import sys; print(sys.argv[1])", "x"])[1]["stdout"], "x\n")
    equal(post(command="sh", args=["-c", "echo $1; exit 3", "sh", "a"])[1]["exit_code"], 3)
    made = post(command="sleep", args=["60"], timeout_secs=0.3)[1]
    equal((made["status"], made["error"]), ("timeout", "execution timeout"))
    made = post(command="curl", args=["http://127.0.0.1"])[1]
    equal(made["status"], "failed")
    expect(made["error"], made)
    equal(post(args=["x"]), (400, {"error": "command is required"}))
    equal(server.call("POST", "/api/v1/sandbox/execute", "no").json, {"error": "invalid request body"})
    equal(server.call("GET", "/api/v1/sandbox/status/none").status, 404)
    equal(server.call("POST", "/api/v1/sandbox/kill/none").json, {"error": "execution not found"})


@only("langsbx")
@served()
def test_blue_kills_what_runs(it, server):
    answer = server.call("POST", "/api/v1/sandbox/execute", {"command": "sleep", "args": ["60"]}, {"Prefer": "respond-async"})
    equal((answer.status, answer.json["status"]), (202, "pending"))
    path = f"/api/v1/sandbox/status/{answer.json['id']}"
    it.until("the state is there", lambda: server.call("GET", path).json["status"] == "running", 20)
    equal(server.call("POST", f"/api/v1/sandbox/kill/{answer.json['id']}").json,
          {"status": "killed", "message": "execution killed successfully"})
    it.until("the state is there", lambda: server.call("GET", path).json["status"] == "killed", 20)
    equal(server.call("GET", path).json["error"], "execution killed")


@only("langsbx")
@served()
def test_blue_configuration(it, server):
    info = server.call("GET", "/api/v1/sandbox/info").json
    equal((info["supported"], info["network_toggle_supported"], info["network_enabled"]), (True, False, False))
    equal((info["default_timeout"], info["max_timeout"]), ("5m0s", "5m0s"))
    answer = server.call("PATCH", "/api/v1/sandbox/config", {"network_enabled": True})
    equal((answer.status, answer.json), (400, {"error": "network_enabled is not supported on this platform"}))
    equal(server.call("PATCH", "/api/v1/sandbox/config", {}).status, 400)


@only("langsbx")
@served()
def test_judge0(it, server):
    def post(query="?wait=true", **body):
        answer = server.call("POST", f"/submissions{query}", body)
        return answer.status, answer.json
    status, made = post(source_code="print(input())", language_id=71, stdin="x", expected_output="x \n\n")
    equal((status, made["stdout"], made["stderr"], made["status"]), (201, "x\n", None, {"id": 3, "description": "Accepted"}))
    expect(isinstance(made["time"], str) and isinstance(made["memory"], int), made)
    equal(sorted(made), ["compile_output", "memory", "message", "status", "stderr", "stdout", "time", "token"])
    equal(post(source_code="print(1)", language_id=71, expected_output="2")[1]["status"]["id"], 4)
    equal(post(source_code="while True: pass", language_id=71, cpu_time_limit=0.5)[1]["status"]["id"], 5)
    made = post(source_code="int main(void) { return 2 }", language_id=50)[1]
    equal(made["status"]["id"], 6)
    contains(made["compile_output"], "error")
    made = post(source_code="#include <stdlib.h>\nint main(void) { abort(); }\n", language_id=50)[1]
    equal((made["status"]["id"], made["message"]), (10, "ended by SIGABRT"))
    equal(post(source_code="exit 3", language_id=46)[1]["status"], {"id": 11, "description": "Runtime Error (NZEC)"})
    made = post(source_code="x = [0] * 10**9", language_id=71, memory_limit=65536)[1]
    equal(made["status"]["id"] in (11, 12), True)
    made = post(source_code="import socket", language_id=71)[1]
    equal(made["status"]["id"], 6)
    contains(made["compile_output"], "socket")
    made = post("?wait=true&fields=stdout,exit_code", source_code="import sys\nprint(sys.argv[1:])", language_id="71",
                command_line_arguments="a 'b c' d\\ e")[1]
    equal(made, {"stdout": "['a', 'b c', 'd e']\n", "exit_code": 0})


@only("langsbx")
@served()
def test_judge0_later(it, server):
    def call(method, path, body=None):
        answer = server.call(method, path, body)
        return answer.status, answer.json
    code = base64.b64encode(b"import sys; sys.stdout.buffer.write(bytes([255]))").decode()
    status, made = call("POST", "/submissions?base64_encoded=true", {"source_code": code, "language_id": 71})
    equal((status, list(made)), (201, ["token"]))
    path = f"/submissions/{made['token']}"
    it.until("the state is there", lambda: call("GET", f"{path}?base64_encoded=true")[1]["status"]["id"] == 3, 20)
    equal(base64.b64decode(call("GET", f"{path}?base64_encoded=true")[1]["stdout"]), b"\xff")
    status, error = call("GET", path)
    equal(status, 400)
    contains(error["error"], "cannot be converted to UTF-8")
    whole = call("GET", f"{path}?base64_encoded=true&fields=*")[1]
    equal((whole["language"]["id"], whole["language_id"], whole["source_code"]), (71, 71, code))
    status, tokens = call("POST", "/submissions/batch", {"submissions": [{"source_code": "echo 1", "language_id": 46}, {"source_code": "x"}]})
    equal((status, tokens[1]), (201, {"language_id": ["can't be blank"]}))
    batch = f"/submissions/batch?tokens={tokens[0]['token']},none"
    it.until("the state is there", lambda: call("GET", batch)[1]["submissions"][0]["status"]["id"] == 3, 20)
    equal((call("GET", batch)[1]["submissions"][0]["stdout"], call("GET", batch)[1]["submissions"][1]), ("1\n", None))
    equal(call("DELETE", f"/submissions/{tokens[0]['token']}")[0], 200)
    equal(call("GET", f"/submissions/{tokens[0]['token']}")[0], 404)


@only("langsbx")
@served()
def test_judge0_says_what_is_wrong(it, server):
    def post(body):
        answer = server.call("POST", "/submissions", body)
        return answer.status, answer.json
    good = {"source_code": "print(1)", "language_id": 71}
    equal(post({}), (422, {"source_code": ["can't be blank"], "language_id": ["can't be blank"]}))
    for more, error in (({"language_id": 9999}, {"language_id": ["language with id 9999 doesn't exist"]}),
                        ({"cpu_time_limit": 16}, {"cpu_time_limit": ["must be less than or equal to 15"]}),
                        ({"memory_limit": 1}, {"memory_limit": ["must be greater than or equal to 2048"]}),
                        ({"compiler_options": "-O2"}, {"compiler_options": ["setting compiler options is not allowed"]}),
                        ({"callback_url": "http://127.0.0.1/"}, {"callback_url": ["setting callback is not allowed"]})):
        equal(post({**good, **more}), (422, error))
    equal(post({**good, "enable_network": True})[1].keys(), {"enable_network"})
    languages = {entry["id"]: entry["name"] for entry in server.call("GET", "/languages").json}
    expect(languages[71].startswith("Python (3."), languages)
    equal(server.call("GET", "/languages/71").json["name"], languages[71])
    equal(server.call("GET", "/statuses").json[2], {"id": 3, "description": "Accepted"})
    equal(server.call("GET", "/submissions/none").status, 404)


@only("langsbx")
def test_judge0_calls_back(it):
    import http.server
    import json
    import threading
    told = []

    class Listener(http.server.BaseHTTPRequestHandler):
        def do_PUT(self):
            told.append((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
            self.send_response(503 if len(told) == 1 else 200)
            self.end_headers()

        def log_message(self, *_):
            pass
    listener = http.server.HTTPServer(("127.0.0.1", 0), Listener)
    thread = threading.Thread(target=listener.serve_forever, daemon=True)
    thread.start()
    host = f"127.0.0.1:{listener.server_port}"
    try:
        with open(f"{it.folder}/serve.yaml", "w", encoding="ascii") as config:
            config.write(f"callback_hosts: [\"{host}\"]\n")
        server = Server(it, "--config", f"{it.folder}/serve.yaml")
        try:
            body = {"source_code": "print(7)", "language_id": 71, "callback_url": f"http://{host}/done?a=1"}
            token = server.call("POST", "/submissions", body).json["token"]
            it.until("both calls came", lambda: len(told) == 2, 20)
            equal(told[0], told[1])  # the first answer was 503
            path, answer = told[1]
            equal((path, answer["token"], answer["status"]["id"], base64.b64decode(answer["stdout"])), ("/done?a=1", token, 3, b"7\n"))
            for url in ("https://127.0.0.1/", "http://127.0.0.1:1/", f"http://x@{host}/"):
                equal(server.call("POST", "/submissions", {**body, "callback_url": url}).status, 422)
        finally:
            server.stop()
    finally:
        listener.shutdown()
        thread.join()
        listener.server_close()
