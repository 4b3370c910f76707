"""langsbx serve: interfaces that others have built, with the requests and answers of theirs."""
import base64

from harness.case import contains, equal, expect, only
from suites.serve import served


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
