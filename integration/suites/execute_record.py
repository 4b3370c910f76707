"""langsbx execute: tiers, the record and its schema, events, cache, setup, keep, and what is left after kill -9."""
import glob
import json
import os
import signal
import subprocess

from harness import schema
from harness.case import contains, each, equal, expect, needs, only, slow

SCHEMA = os.path.join(os.path.dirname(__file__), "../../runtime/execute/record.schema.json")
PRINT = "print('hi')\n"
OBSERVE = ("name: open\nlanguage: {}\ndescription: Everything passes.\ncapabilities:\n  allow: [threads]\n"
           "seccomp: {}\nnetwork: none\nstages: {{guard: observe}}\n")


def write(it, name, text):
    path = f"{it.folder}/{name}"
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(text)
    return path


def record(it, name, text, *options, **more):
    result = it.rt("execute", "--json", *options, write(it, name, text), **more)
    expect(result.out.startswith("{"), f"no record: {result.text[-600:]}")
    made = json.loads(result.out)
    with open(SCHEMA, encoding="utf-8") as handle:
        faults = schema.faults(made, json.load(handle))
    equal(faults, [], "the schema")
    equal(result.code, made["exit_code"], "exit status and record")
    return made


def open_profile(it, language):
    return write(it, f"open-{language}.yaml", OBSERVE.format(language, language))


@only("langsbx")
@each(completed=PRINT, failed="raise SystemExit(3)\n", rejected="import socket\n", killed="while True:\n    print('x' * 999)\n",
      signalled="import faulthandler\nfaulthandler._sigsegv()\n")
def test_schema(it, code):
    made = record(it, "main.py", code, "--output", "8K")
    expect(made["status"] in ("completed", "failed", "rejected", "killed"), made["status"])


@only("langsbx")
def test_schema_can_fail(it):
    made = record(it, "main.py", PRINT)
    with open(SCHEMA, encoding="utf-8") as handle:
        text = json.load(handle)
    for change in ({"status": "fine"}, {"exit_code": 300}, {"more": 1}, {"limits": {}}, {"warnings": [1]}, {"id": "x"}):
        expect(schema.faults({**made, **change}, text), f"{change} passes")


@only("langsbx")
@needs("landlock:1")
@each(container="container", light="light", off="off")
def test_tier(it, tier):
    made = record(it, "main.py", PRINT, "--isolation", tier)
    equal((made["isolation"]["tier"], made["stdout"]), (tier, "hi\n"))
    equal(made["enforced"]["landlock"] == "none", tier == "off")
    equal(made["enforced"]["seccomp"] == "none", tier == "off")
    equal(bool(made["enforced"]["namespaces"]), tier == "container")


@only("langsbx")
@needs("root", "controller:memory", "controller:pids", "controller:cpu")
def test_root_has_a_cgroup(it):
    made = record(it, "main.py", PRINT)
    expect(made["enforced"]["cgroup"].startswith("v"), made["enforced"])
    equal(made["warnings"], [])


@only("langsbx")
def test_automatic_tier_says_why(it):
    made = record(it, "main.py", PRINT)
    equal(made["isolation"]["tier"], "container")
    contains(made["isolation"]["reason"], "chosen")


@only("langsbx")
@needs("root", "landlock:1")
def test_refused_namespaces_lead_to_light(it):
    # A sandbox of our own stands for the engine: its seccomp profile refuses new namespaces.
    made = it.bundle("/langsbx", "--root", "/tmp/state", "execute", "--json", "/main.py")
    made.file("/main.py", PRINT)
    made.mount("/usr", "bind", "/usr", "rbind", "ro")
    made.mount("/langsbx", "bind", it.rt.path, "bind", "ro")
    made.mount("/tmp", "tmpfs", "tmpfs", "mode=1777")
    for link in ("lib", "lib64"):
        if os.path.islink(f"/{link}") and not os.path.lexists(f"{made.rootfs}/{link}"):
            os.symlink(os.readlink(f"/{link}"), f"{made.rootfs}/{link}")
    made.process["capabilities"] = {}
    made.process["user"] = {"uid": 1000, "gid": 1000}
    made.process["env"] = ["PATH=/usr/bin:/bin", "TMPDIR=/tmp"]
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38},
        {"names": ["unshare"], "action": "SCMP_ACT_ERRNO"},
        {"names": ["clone"], "action": "SCMP_ACT_ERRNO",
         "args": [{"index": 0, "value": 0x10000000, "valueTwo": 0x10000000, "op": "SCMP_CMP_MASKED_EQ"}]}]}
    answer = json.loads(it.run(made).ok().out)
    equal((answer["isolation"]["tier"], answer["stdout"], answer["status"]), ("light", "hi\n", "completed"))
    expect(any("isolation light" in w for w in answer["warnings"]), answer["warnings"])


@only("langsbx")
@needs("root")
def test_maximum_behind_another_runtime(it):
    made = record(it, "main.py", "import os\nprint(os.getpid())\nwith open('out', 'w') as out:\n    out.write('x')\n",
                  "--profile", open_profile(it, "python"), "--isolation", "maximum", "--oci-runtime", it.rt.path)
    equal((made["isolation"]["tier"], made["status"], made["stdout"]), ("maximum", "completed", "1\n"))
    late = record(it, "main.py", "import time\ntime.sleep(60)\n", "--isolation", "maximum", "--oci-runtime", it.rt.path,
                  "--timeout", "1s")
    equal((late["status"], late["exit_code"]), ("timeout", 124))
    left = [f"{top}/{name}" for top in ["/sys/fs/cgroup", *glob.glob("/sys/fs/cgroup/*")] if os.path.isdir(top)
            for name in os.listdir(top) if late["id"] in name or made["id"] in name]
    equal(left, [], "cgroups")


@only("langsbx")
@needs("root")
def test_a_runtime_that_fails_is_not_the_programs_end(it):
    runtime = write(it, "fails", "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = --log ] && log=$2; [ \"$1\" = run ] && verb=$1; shift; done\n"
                    "[ -z \"$verb\" ] || echo '{\"level\":\"error\",\"msg\":\"no room here\"}' > \"$log\"\n[ -z \"$verb\" ]\n")
    os.chmod(runtime, 0o755)
    result = it.rt("execute", "--isolation", "maximum", "--oci-runtime", runtime, write(it, "main.py", PRINT))
    equal(result.code, 125, result.text)
    contains(result.text, "no room here")
    os.chmod(write(it, "no-program", "text\n"), 0o755)
    result = it.rt("execute", "--isolation", "maximum", "--oci-runtime", f"{it.folder}/no-program", write(it, "main.py", PRINT))
    equal(result.code, 125, result.text)
    contains(result.text, "exec format error")


@only("langsbx")
@needs("root", "landlock:1", "controller:memory", "controller:pids", "path:/usr/bin/runsc")
@slow(60)
def test_tiers_of_the_host(it):
    facts = it.rt("check-host", timeout=60).ok().out.splitlines()
    found = {line.split()[1].rsplit(".", 1)[1]: line for line in facts if "execute.isolation." in line}
    for tier in ("container", "light", "maximum", "off"):
        expect(found[tier].startswith("yes "), found[tier])


@only("langsbx")
def test_maximum_is_not_replaced(it):
    code = write(it, "main.py", PRINT)
    for wrong in (f"{it.folder}/missing", it.folder, code):
        it.rt("execute", "--isolation", "maximum", "--oci-runtime", wrong, code).fails(wrong, "not a program")


@only("langsbx")
@needs("landlock:1")
@each(container="container", light="light", off="off")
def test_events(it, tier):
    path = f"{it.folder}/events"
    options = ("--isolation", tier, "--events", path)
    record(it, "main.py", "while True:\n    print('x' * 999)\n", "--output", "32K", *options)
    refused = record(it, "main.py", "print('ran')\nimport socket\n", *options)
    equal((refused["status"], refused["stdout"], refused["exit_code"]), ("rejected", "", 126))
    with open(path, encoding="utf-8") as handle:
        lines = [json.loads(line) for line in handle]
    plain = [line for line in lines if "event" in line]
    equal([line["event"] for line in plain if line["event"] != "limit.warning"],
          ["created", "started", "violation", "killed", "created"] +
          ["violation"] * (len([p for p in plain if p["event"] == "violation"]) - 1) + ["completed"])
    findings = [line for line in lines if line.get("class_uid") == 2001]
    equal(len(findings), len([p for p in plain if p["event"] == "violation"]))
    equal(findings[0]["finding"]["types"], ["output"])
    equal(findings[-1]["finding"]["types"], ["guard"])
    equal({f["type_uid"] for f in findings}, {200101})


@only("langsbx")
@each(memory=("kept = bytearray(90 << 20)\nimport time\ntime.sleep(1)\n", "--memory", "110M", "memory_bytes"),
      time=("import time\ntime.sleep(2.2)\n", "--timeout", "2500ms", "wall_time_ms"))
def test_limit_warning(it, row):
    code, option, value, field = row
    path = f"{it.folder}/events"
    record(it, "main.py", code, option, value, "--events", path)
    with open(path, encoding="utf-8") as handle:
        warned = [json.loads(line).get("limit") for line in handle if "limit.warning" in line]
    expect(field in warned, warned)


@only("langsbx")
def test_keep(it):
    text = "import os\nos.mkdir('below')\nfor name in ('a', 'below/b'):\n    with open(name, 'w') as out:\n        out.write(name)\n" \
           "os.symlink('/etc/passwd', 'link')\n"
    made = record(it, "main.py", text, "--keep", "--profile", open_profile(it, "python"), cwd=it.folder)
    folder = f"{it.folder}/{made['kept']}"
    found = sorted(os.path.relpath(os.path.join(top, name), folder) for top, _, names in os.walk(folder) for name in names)
    equal(found, ["a", "below/b"])


@only("langsbx")
@needs("landlock:1")
@each(container="container", light="light")
def test_setup_then_run(it, tier):
    made = record(it, "main.py", "with open('made/by-setup') as given:\n    print(given.read(), end='')\n", "--isolation", tier,
                  "--setup", "mkdir made && echo $((6 * 7)) > made/by-setup")
    equal(made["stdout"], "42\n", str(made["stderr"]))
    failed = record(it, "main.py", PRINT, "--isolation", tier, "--setup", "echo no >&2; exit 4")
    equal((failed["status"], failed["exit_code"], failed["stdout"]), ("failed", 4, ""))
    contains(failed["stderr"], "no")


@only("langsbx")
@needs("path:/usr/bin/gcc", "landlock:1")
@each(container="container", light="light")
def test_compiled_once(it, tier):
    text = "#include <stdio.h>\nint main(void) { puts(\"compiled\"); return 0; }\n"
    first = record(it, "main.c", text, "--isolation", tier)
    equal((first["phases"]["compile_cached"], first["stdout"]), (False, "compiled\n"), str(first["stderr"]))
    again = record(it, "main.c", text, "--isolation", tier)
    equal((again["phases"]["compile_cached"], again["stdout"]), (True, "compiled\n"))
    anew = record(it, "main.c", text, "--isolation", tier, "--no-cache")
    equal(anew["phases"]["compile_cached"], False)
    folder = f"{it.rt.root}/.cache/compiled"
    for name in os.listdir(folder):
        with open(f"{folder}/{name}", "r+b") as kept:
            kept.seek(-2000, os.SEEK_END)
            kept.write(b"damage")
    equal(record(it, "main.c", text, "--isolation", tier)["phases"]["compile_cached"], False)


@only("langsbx")
@needs("landlock:1")
@each(container=("container", "container"), light=("light", "light"), off=("off", "off"),
      light_before_container=("light", "container"))
@slow(60)
def test_killed_supervisor(it, tiers):
    tier, after = tiers
    profile = open_profile(it, "bash")
    code = write(it, "main.sh", "(setsid sleep 4321 &)\n: > started\nsleep 4321\n")
    child = it.spawn("execute", "--isolation", tier, "--profile", profile, "--pids", "20", code)

    def inside():
        return [pid for pid in os.listdir("/proc") if pid.isdigit() and is_sleep(pid) and below(pid, child.pid)]

    it.until("both of them", lambda: len(inside()) == 2, 20)
    pids = inside()
    child.send_signal(signal.SIGKILL)
    child.wait()
    it.until("the program's end", lambda: not any(is_sleep(pid) for pid in pids), 20)

    def cleaned():
        # What is still dying keeps its cgroup; the next run takes it.
        record(it, "main.py", PRINT, "--isolation", after)
        folders = [f"{os.environ.get('TMPDIR', '/tmp')}/langsbx-execute-0", "/dev/shm/langsbx-execute-0", "/sys/fs/cgroup/memory",
                   "/sys/fs/cgroup"]
        names = [name.removeprefix("langsbx-execute-") for folder in folders if os.path.isdir(folder) for name in os.listdir(folder)]
        return not any(name.startswith(f"{child.pid}-") for name in names)

    it.until("the clean-up", cleaned, 20)


@only("langsbx")
@needs("root", "controller:pids", "path:/usr/bin/runsc")
@slow(60)
def test_killed_supervisor_of_gvisor(it):
    code = write(it, "main.py", "import time\nprint('ready', flush=True)\ntime.sleep(4321)\n")
    child = it.spawn("execute", "--isolation", "maximum", code, stdout=subprocess.PIPE)
    equal(child.stdout.readline(), b"ready\n")
    child.send_signal(signal.SIGKILL)
    child.wait()

    def left():
        top = "/sys/fs/cgroup/pids" if os.path.isdir("/sys/fs/cgroup/pids") else "/sys/fs/cgroup"
        folders = [f"{top}/{name}" for name in os.listdir(top) if name.startswith(f"langsbx-execute-{child.pid}-")]
        return [pid for folder in folders for pid in open(f"{folder}/cgroup.procs", encoding="ascii")]

    it.until("the sandbox's end", lambda: not left(), 20)
    record(it, "next.py", PRINT)
    base = f"{os.environ.get('TMPDIR', '/tmp')}/langsbx-execute-0"
    equal([name for name in os.listdir(base) if name.startswith(f"{child.pid}-")], [], base)


def is_sleep(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as handle:
            return handle.read() == b"sleep\0004321\0"
    except OSError:
        return False


def below(pid, ancestor):
    while int(pid) > 1:
        if int(pid) == ancestor:
            return True
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as handle:
                pid = handle.read().rsplit(")", 1)[1].split()[1]
        except OSError:
            return False
    return False


@only("langsbx")
@needs("landlock:1")
@each(container="container", light="light")
@slow(60)
def test_interrupted(it, tier):
    code = write(it, "main.sh", "trap 'echo caught; exit 5' TERM INT\necho ready\nwhile :; do sleep 0.1; done\n")
    child = it.spawn("execute", "--isolation", tier, "--profile", open_profile(it, "bash"), code, stdout=subprocess.PIPE)
    equal(child.stdout.readline(), b"ready\n")
    child.send_signal(signal.SIGTERM)
    equal((child.communicate(timeout=40)[0], child.returncode), (b"caught\n", 5))


@only("langsbx")
@needs("landlock:1")
@each(container="container", light="light")
def test_interrupt_that_is_ignored(it, tier):
    code = write(it, "main.sh", "trap '' INT TERM\necho ready\nwhile :; do sleep 0.1; done\n")
    child = it.spawn("execute", "--isolation", tier, "--profile", open_profile(it, "bash"), code, stdout=subprocess.PIPE,
                     stderr=subprocess.PIPE)
    equal(child.stdout.readline(), b"ready\n")
    child.send_signal(signal.SIGINT)
    err = child.communicate(timeout=15)[1]
    equal(child.returncode, 137, err)
    contains(err.decode(), "manual")


@only("langsbx")
@needs("landlock:1")
@each(container="container", light="light")
@slow(120)
def test_many_at_once(it, tier):
    codes = [write(it, f"main{n}.py", f"with open('own', 'w') as own:\n    own.write('{n}')\nwith open('own') as own:\n"
                   f"    print(own.read())\n") for n in range(40)]
    waiting, running = list(enumerate(codes)), []
    while waiting or running:
        while waiting and len(running) < 8:
            n, code = waiting.pop(0)
            running.append((n, it.spawn("execute", "--isolation", tier, code, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)))
        n, child = running.pop(0)
        equal(child.communicate(timeout=60)[0], f"{n}\n".encode())
        equal(child.returncode, 0)


@only("langsbx")
@needs("landlock:1")
@each(container="container", light="light")
def test_terminal(it, tier):
    text = "import os, sys\nprint(sys.stdin.isatty(), sys.stdout.isatty(), input())\nopen('/dev/tty').close()\nprint('end', repr(sys.stdin.read()))\n"
    made = record(it, "main.py", text, "--isolation", tier, "--tty", "--profile", open_profile(it, "python"), stdin="typed\n")
    contains(made["stdout"], "True True typed", made["stderr"])
    contains(made["stdout"], "end ''")
    equal(made["status"], "completed")


@only("langsbx")
@needs("landlock:1")
@each(container="container", light="light")
def test_artifacts_are_plain_files(it, tier):
    text = "import os\nos.symlink('/etc/passwd', 'link.txt')\nos.mkfifo('pipe.txt')\nos.mkdir('folder.txt')\n" \
           "os.symlink('good.txt', 'inner.txt')\nopen('good.txt', 'w').write('good')\n"
    path = f"{it.folder}/out"
    os.mkdir(path)
    os.symlink("/nonexistent/target", f"{path}/good.txt")
    made = record(it, "main.py", text, "--isolation", tier, "--profile", open_profile(it, "python"), "--artifact", "*.txt",
                  cwd=path)
    # A link here is neither followed nor replaced, unless the directory was named for results.
    equal((made["artifacts"], [file["name"] for file in made["left_out"]["files"]], made["exit_code"]), ([], ["good.txt"], 125))
    equal((os.listdir(path), os.readlink(f"{path}/good.txt")), (["good.txt"], "/nonexistent/target"))
    made = record(it, "main.py", text, "--isolation", tier, "--profile", open_profile(it, "python"), "--artifact", "*.txt",
                  "--artifact-dir", path)
    equal(([a["name"] for a in made["artifacts"]], made["left_out"]["count"]), (["good.txt"], 0), made["stderr"])
    equal((os.listdir(path), os.path.islink(f"{path}/good.txt")), (["good.txt"], False))


@only("langsbx")
@needs("path:/usr/bin/gcc")
@each(finding=("py", "import os\nos.system('\x1b]0;owned\x07')\n"), compiler=("c", "int main(void) { return \x1b[31m; }\n"))
def test_terminal_is_not_steered(it, row):
    result = it.rt("execute", write(it, f"main.{row[0]}", row[1]))
    expect(result.code != 0 and "\x1b" not in result.text, repr(result.text[-300:]))
