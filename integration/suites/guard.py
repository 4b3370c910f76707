"""The language guard: source is judged before it runs, and what was judged is what runs."""
import json
import os

from harness.case import contains, each, equal, expect, needs, only

ENFORCE = {"io.langsbx.guard": "enforce", "io.langsbx.profile": "default"}
HARM = "import os\nos.system('echo harm')\n"


def asked(made, **annotations):
    made.config["annotations"] = {**ENFORCE, **{f"io.langsbx.{k}": v for k, v in annotations.items()}}
    return made


def python(it, code, name="main.py", *args):
    """A bundle with the host's Python, and the code in /program."""
    made = it.bundle("/usr/bin/python3", f"/program/{name}", *args)
    made.file(f"/program/{name}", code)
    os.chmod(f"{made.rootfs}/program", 0o777)
    made.mount("/usr", "bind", "/usr", "rbind", "ro")
    for link in ("lib", "lib64"):
        if os.path.islink(f"/{link}"):
            os.symlink(os.readlink(f"/{link}"), f"{made.rootfs}/{link}")
    made.process["env"] = ["PATH=/usr/bin:/bin", "HOME=/program"]
    made.process["cwd"] = "/program"
    return made


def verdicts(it, box):
    return json.loads(it.rt("inspect", "-f", "json", box).ok().out)["guard"]


@only("langsbx")
def test_clean_shell_script_runs(it):
    made = asked(it.bundle("sh", "/main.sh").file("/main.sh", "echo fine\n"))
    equal(it.run(made).ok().out, "fine\n")


@only("langsbx")
def test_shell_harm_is_refused(it):
    made = asked(it.bundle("sh", "/main.sh").file("/main.sh", "echo one\nwget http://x/y\n"))
    result = it.run(made).fails("/main.sh:2:1: error:", "wget")
    expect("one" not in result.out, "nothing may run")


@only("langsbx")
@each(text=["sh", "-c", "rm -rf /"], env=["env", "A=1", "sh", "-c", "rm -rf /"],
      busybox=["busybox", "sh", "-c", "rm -rf /"])
def test_command_line_is_judged(it, args):
    it.run(asked(it.bundle(*args))).fails("<command line>:1:")


@only("langsbx")
def test_script_by_its_first_line(it):
    made = it.bundle("/run.sh").file("/run.sh", "#!/bin/sh\nnc -l 1\n", 0o755)
    it.run(asked(made)).fails("/run.sh:2:1: error:")


@only("langsbx")
@each(stdin=["sh"], login=["sh", "-l"], other=["ls"])
def test_what_cannot_be_judged_is_refused(it, args):
    it.run(asked(it.bundle(*args)), stdin="echo hidden\n").fails("the language guard refuses")


@only("langsbx")
def test_python_runs(it):
    made = asked(python(it, "import helper\nprint(helper.double(21))\n"))
    made.file("/program/helper.py", "def double(x):\n    return 2 * x\n")
    equal(it.run(made).ok().out, "42\n")


@only("langsbx")
def test_python_harm_is_refused(it):
    it.run(asked(python(it, HARM))).fails("main.py:", "error:")


@only("langsbx")
def test_imported_file_is_judged(it):
    made = asked(python(it, "import helper\n")).file("/program/helper.py", HARM)
    it.run(made).fails("helper.py:", "error:")


@only("langsbx")
def test_judged_files_cannot_be_changed(it):
    # A name that the guard's own rule against written code cannot read.
    made = asked(python(it, "name = ''.join(('helper', '.p', 'y'))\n"
                            "try:\n    open(name, 'w').write('x = 2')\nexcept OSError as error:\n"
                            "    print(error.errno)\nimport helper\nprint(helper.x)\n"))
    made.file("/program/helper.py", "x = 1\n")
    equal(it.run(made).ok().out.split()[-1], "1")
    with open(f"{made.rootfs}/program/helper.py", encoding="ascii") as handle:
        equal(handle.read(), "x = 1\n")


@only("langsbx")
def test_change_between_create_and_start_does_not_run(it):
    made = asked(it.bundle("sh", "/main.sh").file("/main.sh", "echo fine > /tmp/said\n"))
    it.create(made).ok()
    with open(f"{made.rootfs}/main.sh", "w", encoding="ascii") as handle:
        handle.write("echo harm > /tmp/said; nc -l 1\n")
    it.rt("start", it.id()).ok()
    it.rt.wait_status(it.id(), "stopped")
    with open(f"{made.rootfs}/tmp/said", encoding="ascii") as handle:
        equal(handle.read(), "fine\n")


@only("langsbx")
def test_replaced_between_create_and_start_is_refused(it):
    made = asked(it.bundle("sh", "/main.sh").file("/main.sh", "echo fine\n"))
    it.create(made).ok()
    made.file("/main.sh", "nc -l 1\n")
    it.rt("start", it.id()).fails("the language guard refuses")


@only("langsbx")
def test_python_environment_is_cleaned(it):
    made = asked(python(it, "print('ran')\n"))
    made.file("/program/evil/sitecustomize.py", "print('harm')\n")
    made.process["env"].append("PYTHONPATH=/program/evil")
    equal(it.run(made).ok().out, "ran\n")


@only("langsbx")
def test_profile_confines(it):
    box = it.started(asked(it.bundle("sh", "-c", "sleep 1000")))
    with open(f"/proc/{it.rt.state(box)['pid']}/status", encoding="ascii") as handle:
        contains(handle.read(), "NoNewPrivs:\t1")


@only("langsbx")
def test_flag(it):
    made = it.bundle("sh", "-c", "nc -l 1")
    it.rt.globals += ["--profile", "default"]
    it.run(made).fails("error:")


@only("langsbx")
def test_environment_variable(it):
    made = it.bundle("sh", "-c", "nc -l 1")
    made.process["env"].append("LANGSBX_PROFILE=default")
    it.run(made).fails("error:")


@only("langsbx")
def test_off(it):
    made = it.bundle("sh", "-c", "rm -rf /nothing; echo ran")
    made.config["annotations"] = {"io.langsbx.guard": "off"}
    equal(it.run(made).ok().out, "ran\n")


@only("langsbx")
def test_unasked_is_observed(it):
    made = it.bundle("sh", "-c", "nc -h > /dev/null 2>&1; sleep 1000")
    box = it.started(made)
    [verdict] = verdicts(it, box)
    equal((verdict["mode"], verdict["verdict"], verdict["language"]), ("observe", "findings", "bash"))
    contains(it.rt("inspect", box).ok().out, "guard: observe, bash")


@only("langsbx")
def test_exec_is_guarded(it):
    made = asked(it.bundle("sh", "-c", "sleep 1000"))
    box = it.started(made)
    it.rt("exec", box, "sh", "-c", "nc -l 1").fails("<command line>:1:")
    equal(it.rt("exec", box, "sh", "-c", "echo fine").ok().out, "fine\n")
    it.rt("exec", box, "ls").fails("the language guard refuses")
    equal([v["verdict"] for v in verdicts(it, box)], ["clean", "findings", "clean"])


@only("langsbx")
def test_exec_cannot_ask_for_less(it):
    box = it.started(asked(it.bundle("sh", "-c", "sleep 1000")))
    it.rt("exec", "--env", "LANGSBX_PROFILE=build-tool", box, "sh", "-c", "nc -l 1").fails("error:")


@only("langsbx")
@needs("root")
def test_in_a_user_namespace(it):
    made = asked(it.bundle("sh", "/main.sh").file("/main.sh", "echo fine\n")).user_namespace()
    equal(it.run(made).ok().out, "fine\n")
