"""The language guard: source is judged before it runs, and what was judged is what runs."""
import json
import os
import subprocess
import re

from harness import host
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
    made = asked(python(it, "import os\nname = [one for one in os.listdir('.') if one.startswith('help')][0]\n"
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
@each(shell=["sh", "/main.sh"], python=["/usr/bin/python3", "/main.py"], other=["ls"])
def test_create_refuses_and_leaves_nothing(it, args):
    # A client that is refused at `create` has nothing to clean up; the leak check of each case looks.
    made = python(it, HARM) if "python" in args[0] else it.bundle(*args).file("/main.sh", "echo one\nnc -l 1\n")
    result = it.create(asked(made)).fails("create failed", "the language guard refuses")
    expect(not args[1:] or re.search(r":2:\d: error: ", result.err), f"no place: {result.err}")
    it.rt("state", it.id()).fails("does not exist")


@only("langsbx")
@each(judged=True, no_program=False)
def test_a_failed_start_answers_when_init_has_ended(it, judged):
    # Docker 20.10 and containerd 1.6 keep shim, state and cgroup of what still runs when they hear of it.
    for number in range(8):
        name = f"f{number}"
        made = it.bundle("sh", "/main.sh").file("/main.sh", "echo fine\n")
        if judged:
            it.create(asked(made), suffix=name).ok()
            made.file("/main.sh", "nc -l 1\n")
        else:
            made.process["args"] = ["/main.sh"]
            made.file("/main.sh", "no program", 0o755)
            it.create(made, suffix=name).ok()
        it.rt("start", it.id(name)).fails("unable to start container process")
        equal(it.rt.state(it.id(name))["status"], "stopped")
        it.rt("delete", it.id(name)).ok()


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
    text = it.rt("inspect", box).ok().out
    contains(text, "guard: observing (bash, profile default): 1 finding in <command line>\n  <command line>:1:")


@only("langsbx")
def test_exec_is_guarded(it):
    made = asked(it.bundle("sh", "-c", "sleep 1000")).file("/tmp/mark", "x\n")
    box = it.started(made)
    it.rt("exec", box, "sh", "-c", "nc -l 1").fails("<command line>:1:")
    equal(it.rt("exec", box, "sh", "-c", "echo fine").ok().out, "fine\n")
    contains(it.rt("exec", box, "ls", "/tmp").ok().out, "mark")
    equal([v["verdict"] for v in verdicts(it, box)], ["clean", "findings", "clean", "confined"])


@only("langsbx")
def test_exec_cannot_ask_for_less(it):
    box = it.started(asked(it.bundle("sh", "-c", "sleep 1000")))
    it.rt("exec", "--env", "LANGSBX_PROFILE=build-tool", box, "sh", "-c", "nc -l 1").fails("error:")


@only("langsbx")
@needs("root")
def test_in_a_user_namespace(it):
    made = asked(it.bundle("sh", "/main.sh").file("/main.sh", "echo fine\n")).user_namespace()
    equal(it.run(made).ok().out, "fine\n")


def judged_exec(it, **annotations):
    """A guarded Python container with the machine's programs, for exec."""
    made = asked(python(it, "import time\ntime.sleep(1000)\n"), **annotations)
    made.file("/program/healthy", "yes\n")
    made.file("/secret", "hidden\n")
    return it.started(made)


@only("langsbx")
def test_exec_of_a_program_is_confined(it):
    # What health probes and `kubectl cp` are.
    box = judged_exec(it)
    equal(it.rt("exec", box, "cat", "/program/healthy").ok().out, "yes\n")
    contains(it.rt("exec", box, "/usr/bin/ls", "-l", "/program").ok().out, "healthy")
    contains(it.rt("exec", box, "timeout", "9", "cat", "healthy").ok().out, "yes")

    expect("healthy" in it.rt("exec", box, "tar", "cf", "-", "healthy").ok().out, "no archive")
    it.rt("exec", box, "cat", "/secret").fails("permission denied")
    equal([(v["verdict"], v["language"], os.path.basename(v["source"])) for v in verdicts(it, box)[1:4]],
          [("confined", "none", "cat"), ("confined", "none", "ls"), ("confined", "none", "cat")])


@only("langsbx")
def test_exec_of_a_confined_program_starts_no_other(it):
    box = judged_exec(it)
    result = it.rt("exec", box, "find", "/program", "-name", "healthy", "-exec", "/usr/bin/cat", "{}", ";")
    expect("yes" not in result.out, f"find started cat: {result.out} {result.err}")


@only("langsbx")
def test_exec_of_an_interpreter_is_judged(it):
    box = judged_exec(it)
    it.rt("exec", box, "python3", "-c", HARM).fails("<command line>:2:")
    equal(it.rt("exec", box, "python3", "-c", "print(6 * 7)").ok().out, "42\n")


@only("langsbx")
def test_exec_is_refused_on_demand(it):
    box = judged_exec(it, exec="enforce")
    it.rt("exec", box, "cat", "/program/healthy").fails("the language guard refuses")


@only("langsbx")
def test_exec_is_left_to_the_container_on_demand(it):
    box = judged_exec(it, exec="off")
    equal(it.rt("exec", box, "cat", "/secret").ok().out, "hidden\n")
    equal(verdicts(it, box)[-1]["verdict"], "let through")
    # The network is the container's, too: nobody listens, nothing is refused.
    result = it.rt("exec", box, "/bin/nc", "127.0.0.1", "1")
    expect(result.code != 0 and "ermission" not in result.text, result.text)


@only("langsbx")
def test_exec_annotation_is_checked(it):
    it.run(asked(it.bundle("sh", "-c", "true"), exec="perhaps")).fails("io.langsbx.exec", "enforce, confine or off")


@only("langsbx")
def test_two_files_that_a_shell_may_source_are_refused(it):
    """`. ./lib.sh` reads from the working directory, others of that name stand beside the script."""
    made = asked(it.bundle("sh", "/prog/main.sh"))
    made.file("/prog/main.sh", ". ./lib.sh\n").file("/prog/lib.sh", "echo beside\n").file("/w/lib.sh", "echo here\n")
    made.process["cwd"] = "/w"
    result = it.run(made).fails("the language guard refuses", "lib.sh")
    expect("beside" not in result.out and "here" not in result.out, result.out)
    made.file("/w/lib.sh", "echo beside\n")
    equal(it.run(made).ok().out, "beside\n")


@only("langsbx")
@needs("landlock")
def test_the_whole_root_is_no_work_directory(it):
    made = asked(it.bundle("sh", "/prog/main.sh", "/secret/file"))
    made.file("/prog/main.sh", 'if cat "$1" 2> /dev/null; then echo read; else echo denied; fi\n').file("/secret/file", "x\n")
    made.process["cwd"] = "/"
    equal(it.run(made).ok().out, "denied\n")


@only("langsbx")
@needs("landlock")
@each(dots="/prog/..", slashes="//", link="/w", link_above="/w/prog/..")
def test_the_whole_root_is_none_by_another_name(it, cwd):
    """Who starts a pod names its working directory, the image's author what it is."""
    made = asked(it.bundle("sh", "/prog/main.sh", "/secret/file"))
    made.file("/prog/main.sh", 'if cat "$1" 2> /dev/null; then echo read; else echo denied; fi\n').file("/secret/file", "x\n")
    os.symlink("/", f"{made.rootfs}/w")
    made.process["cwd"] = cwd
    equal(it.run(made).ok().out, "denied\n")


READS = "import sys\nfor path in sys.argv[1:]:\n    try:\n        print(len(open(path, 'rb').read(1)))\n" \
        "    except OSError as error:\n        print(error.errno)\n"


@only("langsbx")
@needs("landlock")
@each(folder=("/usr/bin", "/program/main.py"), above=("/usr", "/program/main.py"), link=("/w", "/program/main.py"),
      source=("/program", "/bin/main.py"), source_of_root=("/program", "//main.py"), relative=("/bin", "main.py"))
def test_no_folder_of_programs_is_the_programs_own(it, variant):
    """The ELF loader would run what can be read there."""
    cwd, source = variant
    made = asked(python(it, READS))
    made.file("/bin/main.py", READS).file("/main.py", READS)
    os.symlink("/usr/bin", f"{made.rootfs}/w")
    made.process["cwd"] = cwd
    made.process["args"] = ["/usr/bin/python3", source, source, "/usr/bin/id", "/bin/busybox"]
    equal(it.run(made).ok().out, "1\n13\n13\n")


@only("langsbx")
@needs("landlock")
def test_a_release_behind_a_link_is_the_programs_own(it):
    made = asked(python(it, READS))
    made.file("/srv/1/main.py", READS).file("/srv/1/data", "x")
    os.symlink("1", f"{made.rootfs}/srv/current")
    made.process["cwd"] = "/srv/current"
    made.process["args"] = ["/usr/bin/python3", "/srv/current/main.py", "data", "/srv/1/data"]
    equal(it.run(made).ok().out, "1\n1\n")


@only("langsbx")
@needs("landlock")
@each(file=("/etc/mime.types", "/secret"), folder=("/etc/mime.types", "/secrets"), root=("/etc/localtime", "/"))
def test_a_link_of_the_image_widens_no_profile(it, variant):
    name, target = variant
    made = asked(python(it, READS))
    made.file("/secret", "x").file("/secrets/token", "x")
    os.symlink(target, made.rootfs + name)
    made.process["args"] = ["/usr/bin/python3", "/program/main.py", "/secret", "/secrets/token", name]
    equal(set(it.run(made).ok().out.split()), {"13"})


@only("langsbx")
@needs("landlock")
@each(root="/", file="/secret")
def test_a_shells_command_is_a_program(it, target):
    """The image says where the link of that name leads: to no folder, and to nothing that is no program."""
    made = asked(it.bundle("sh", "/prog/main.sh", "/secret"))
    made.file("/prog/main.sh", 'if while read -r line; do echo "$line"; done < "$1"; then echo read; else echo denied; fi 2> /dev/null\n').file("/secret", "x\n")
    os.unlink(f"{made.rootfs}/bin/yes")
    os.symlink(target, f"{made.rootfs}/bin/yes")
    equal(it.run(made).ok().out, "denied\n")


@only("langsbx")
def test_replaced_by_another_clean_file_is_refused(it):
    """The judge alone would let the second one pass."""
    made = asked(it.bundle("sh", "/main.sh").file("/main.sh", "echo fine > /tmp/said\n"))
    it.create(made).ok()
    os.unlink(f"{made.rootfs}/main.sh")
    made.file("/main.sh", "echo other > /tmp/said\n")
    it.rt("start", it.id()).fails("the language guard refuses", "appeared or changed")
    expect(not os.path.exists(f"{made.rootfs}/tmp/said"), "nothing may run")


@only("langsbx")
def test_nothing_runs_whose_verdict_is_not_recorded(it):
    made = asked(it.bundle("sh", "/main.sh").file("/main.sh", "echo ran > /tmp/said\n"))
    host.private_mounts()
    root = f"{it.folder}/full"
    os.makedirs(root)
    host.mount("tmpfs", root, "tmpfs", 0, "size=256k")
    it.rt.root = root
    it.create(made).ok()
    with open(f"{root}/filler", "wb", buffering=0) as filler:
        try:
            while filler.write(b"x" * 4096):
                pass
        except OSError:
            pass
    it.rt("start", it.id()).fails("recording the verdict")
    expect(not os.path.exists(f"{made.rootfs}/tmp/said"), "nothing may run")
    os.unlink(f"{root}/filler")
    it.rt("delete", "-f", it.id()).ok()
    subprocess.run(["umount", root], check=True)
