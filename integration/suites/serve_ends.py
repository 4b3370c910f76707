"""langsbx serve: runs that are ended from outside."""
from harness.case import equal, only
from suites.serve import HELLO, SLOW, served


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
