"""langsbx serve: callers who do not read what they asked for."""
import json
import socket
import time

from harness.case import equal, only, slow
from suites.serve import HELLO, runs_of, served


@only("langsbx")
@served()
@slow(120)
def test_a_caller_who_reads_nothing_holds_nobody(it, server):
    """Answers that fill the socket, then a request that wants to hear "100 Continue" first: others are answered all the same."""
    ask = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    want = b"POST /v1/execute HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n"
    for number in range(2, 16):
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(server.path)
            caller.sendall(ask * number + want)
            for _ in range(4):
                equal(server.call("GET", "/healthz", timeout=5).status, 200, f"{number} answers")
                time.sleep(0.05)
                caller.recv(30000)


def stalled_stream(server):
    """A caller of a stream who takes nothing of what the program writes without end."""
    body = json.dumps({"language": "bash", "source": "while :; do echo 0123456789012345678901234567890123456789; done",
                       "limits": {"wall_time_ms": 80000, "output_bytes": 60000000, "cpu_time_ms": 80000}}).encode()
    caller = socket.socket(socket.AF_UNIX)
    caller.connect(server.path)
    caller.sendall(b"POST /v1/execute HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nContent-Length: "
                   + str(len(body)).encode() + b"\r\n\r\n" + body)
    server.it.until("the run", lambda: runs_of(server), 20)
    return caller


@only("langsbx")
@served("--workers", "1")
@slow(90)
def test_a_reader_of_a_stream_who_takes_nothing_is_let_go(it, server):
    with stalled_stream(server):
        it.until("the run's end", lambda: not runs_of(server), 45)
        equal(server.execute(**HELLO).json["stdout"], "42\n", "the worker is free")


@only("langsbx")
@served()
@slow(60)
def test_a_stopped_service_waits_for_no_reader(it, server):
    with stalled_stream(server):
        time.sleep(1)  # the pipe is full by then
        server.stop()
