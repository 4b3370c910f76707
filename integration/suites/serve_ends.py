"""langsbx serve: runs that are ended from outside, what auditors read, the units of systemd."""
import json
import os
import shutil
import subprocess

from harness.case import Skip, contains, equal, expect, only
from suites.serve import HELLO, SLOW, Server, served


@only("langsbx")
@served()
def test_a_run_that_is_ended_at_its_first_moment(it, server):
    for _ in range(20):
        answer = server.call("POST", "/v1/execute", SLOW, {"Prefer": "respond-async"})
        path = f"/v1/runs/{answer.json['id']}"
        it.until("it runs", lambda at=path: server.call("GET", at).json["state"] != "queued")
        equal(server.call("DELETE", path).status, 202)
        it.until("it ends", lambda at=path: server.call("GET", at).json["state"] == "finished")
    equal(server.execute(**HELLO).json["stdout"], "42\n")


@only("langsbx")
def test_each_call_is_audited(it):
    trace, path = "4bf92f3577b34da6a3ce929d0e0e4736", f"{it.folder}/audit.jsonl"
    header = f"00-{trace}-00f067aa0ba902b7-01"
    server = Server(it, "--audit", path)
    try:
        answer = server.call("POST", "/v1/execute", HELLO, {"traceparent": header, "X-Request-Id": "mine"})
        equal((answer.status, answer.headers["traceparent"], answer.headers["X-Request-Id"]), (200, header, "mine"))
        server.call("GET", "/nothing", headers={"traceparent": "00-zz"})
    finally:
        server.stop()
    with open(path, encoding="utf-8") as handle:
        text = handle.read()
    ran, missing = [json.loads(line) for line in text.splitlines() if "healthz" not in line]
    equal((ran["class_uid"], ran["type_uid"], ran["status"], ran["api"]["operation"], ran["api"]["request"]["uid"]),
          (6003, 600301, "Success", "POST /v1/execute", "mine"))
    equal((ran["metadata"]["correlation_uid"], ran["src_endpoint"]["ip"]), (trace, "unix"))
    equal((missing["status"], missing["status_code"], missing["activity_name"], "correlation_uid" in missing["metadata"]),
          ("Failure", "404", "Read", False))
    expect("print" not in text, "no source is in it")
    contains(server.text(), trace)
    equal(os.stat(path).st_mode & 0o777, 0o600)


@only("langsbx")
def test_the_units_are_right(it):
    """What systemd says of them; where it is not there, at least that they are installed."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        raise Skip("systemd-analyze is not installed")
    build = os.path.dirname(os.path.dirname(os.path.dirname(it.rt.path)))
    if not os.path.exists(f"{build}/generated/langsbx-serve.service"):
        raise Skip("the program is not in its build folder")
    with open(f"{build}/generated/langsbx-serve.service", encoding="utf-8") as handle:
        text = handle.read()
    start = next(line for line in text.splitlines() if line.startswith("ExecStart=")).split("=", 1)[1].split()[0]
    folder = f"{it.folder}/units"
    os.mkdir(folder)
    with open(f"{folder}/langsbx-serve.service", "w", encoding="utf-8") as handle:
        handle.write(text.replace(start, it.rt.path))
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    shutil.copy(f"{source}/cmd/langsbxd/langsbx-serve.socket", folder)
    done = subprocess.run([analyze, "verify", "--man=no", f"{folder}/langsbx-serve.service", f"{folder}/langsbx-serve.socket"],
                          capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    ours = [line for line in done.stderr.splitlines() if "langsbx-serve" in line]
    equal(ours, [])
