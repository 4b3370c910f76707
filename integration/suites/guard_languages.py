"""The guard in containers, language by language: real interpreters under their default profile, who may ask for what."""
import json
import os
import shutil

from harness import host
from harness.case import Skip, contains, each, equal, expect, needs, only, slow

ENFORCE = {"io.langsbx.guard": "enforce"}
JAVA = ('import java.nio.file.*;\npublic class Main { public static void main(String[] a) throws Exception {\n'
        '  Files.writeString(Path.of("out.txt"), "x");\n  System.out.println("ran " + Files.size(Path.of("out.txt")));\n'
        '  try { Files.readString(Path.of(a[0])); System.out.println("read"); }\n'
        '  catch (AccessDeniedException e) { System.out.println("denied"); } } }\n')
PROGRAMS = {
    "javascript": ("/usr/bin/node", "main.js",
                   "const fs = require('fs');\nfs.writeFileSync('out.txt', 'x');\n"
                   "console.log('ran', fs.readFileSync('out.txt').length);\n"
                   "try { fs.readFileSync(process.argv[2]); console.log('read'); }\n"
                   "catch (e) { console.log(e.code === 'EACCES' ? 'denied' : e.code); }\n"),
    "java": ("/usr/bin/java", "Main.java", JAVA),
    "bash": ("/usr/bin/bash", "main.sh",
             "printf x > out.txt\necho ran \"$(wc -c < out.txt)\"\n"
             "if cat \"$1\" > /dev/null 2>&1; then echo read; else echo denied; fi\n"),
}


def on_host_system(it, program, name, text, *args):
    """The host's interpreter in a container, the program in /program, a file that no profile lets read in /etc."""
    made = it.bundle(program, f"/program/{name}", *args)
    made.file(f"/program/{name}", text)
    made.file("/etc/outside", "x")
    os.chmod(f"{made.rootfs}/program", 0o777)
    made.mount("/usr", "bind", "/usr", "rbind", "ro")
    for link in ("lib", "lib64"):
        if os.path.islink(f"/{link}"):
            os.symlink(os.readlink(f"/{link}"), f"{made.rootfs}/{link}")
    for folder in os.listdir("/etc"):
        if folder.startswith("java-") or folder == "alternatives":
            os.makedirs(f"{made.rootfs}/etc/{folder}", exist_ok=True)
            made.mount(f"/etc/{folder}", "bind", f"/etc/{folder}", "rbind", "ro")
    made.process["env"] = ["PATH=/usr/bin:/bin", "HOME=/program"]
    made.process["cwd"] = "/program"
    made.config["annotations"] = dict(ENFORCE)
    return made


@only("langsbx")
@each(javascript="javascript", java="java", bash="bash")
@needs("landlock")
@slow(150)
def test_default_profile_runs_and_confines(it, language):
    program, name, text = PROGRAMS[language]
    needs_program(program)
    made = on_host_system(it, program, name, text, "/etc/outside")
    equal(it.run(made, timeout=150).ok().out.split(), ["ran", "1", "denied"])


@only("langsbx")
@each(javascript=("main.js", "require('child_process');\n"), java=("Main.java", "class Main { ProcessBuilder b; }\n"))
def test_default_profile_refuses(it, program):
    name, text = program
    interpreter = "/usr/bin/node" if name.endswith("js") else "/usr/bin/java"
    made = stand_in(it.bundle(interpreter, f"/program/{name}"), interpreter).file(f"/program/{name}", text)
    made.config["annotations"] = dict(ENFORCE)
    it.run(made).fails(f"{name}:1:", "error:")


def stand_in(made, path):
    """Any program under the interpreter's name: judging goes before it is started."""
    os.makedirs(os.path.dirname(made.rootfs + path), exist_ok=True)
    shutil.copy(f"{made.rootfs}/bin/busybox", made.rootfs + path)
    return made


def needs_program(path):
    if not os.path.exists(path):
        raise Skip(f"{path} is not installed")


@only("langsbx")
@needs("root")
def test_default_profile_installs_seccomp(it):
    made = it.bundle("sh", "-c", "sleep 1000")
    made.config["annotations"] = dict(ENFORCE)
    with open(f"/proc/{it.rt.state(it.started(made))['pid']}/status", encoding="ascii") as handle:
        contains(handle.read(), "Seccomp:\t2")


MODULE = {"go.mod": "module example.com/me\n\ngo 1.19\n",
          "main.go": 'package main\n\nimport "example.com/me/lib"\n\nfunc main() { lib.F() }\n',
          "lib/lib.go": "package lib\n\nfunc F() {}\n"}


@only("langsbx")
@each(clean=({}, "clean"), harm=({"lib/lib.go": 'package lib\n\nimport _ "os/exec"\n'}, "findings"),
      sibling=({"lib/other.go": 'package lib\n\nimport _ "unsafe"\n'}, "findings"),
      foreign=({"main.go": 'package main\n\nimport _ "example.com/other"\n'}, "findings"))
def test_go_module(it, variant):
    changed, verdict = variant
    made = stand_in(it.bundle("/bin/go", "run", "/app/main.go"), "/bin/go")
    for name, text in {**MODULE, **changed}.items():
        made.file(f"/app/{name}", text)
    made.config["annotations"] = {"io.langsbx.guard": "observe", "io.langsbx.language": "go"}
    it.create(made).ok()
    box = it.id()
    it.rt("start", box)
    [found] = json.loads(it.rt("inspect", "-f", "json", box).ok().out)["guard"]
    equal((found["language"], found["verdict"]), ("go", verdict))
    it.rt("delete", "--force", box).ok()  # the cgroup is the next one's, too
    made.config["annotations"]["io.langsbx.guard"] = "enforce"
    if verdict == "findings":
        it.run(made, suffix="e").fails("error:")


@only("langsbx")
@each(enforced=("enforce", True), observed=("observe", False))
def test_unknown_interpreter(it, variant):
    mode, refused = variant
    made = it.bundle("/bin/lua", "/main.lua").file("/main.lua", "print(1)\n")
    made.file("/bin/lua", "#!/bin/sh\necho ran\n", 0o755)
    made.config["annotations"] = {"io.langsbx.guard": mode}
    if refused:
        it.run(made).fails("the language guard refuses")
    else:
        equal(it.run(made).ok().out, "ran\n")


def administrator(text):
    """An /etc/langsbx/config.yaml that only this case sees."""
    host.private_mounts()
    host.mount("tmpfs", "/etc", "tmpfs", 0)
    os.makedirs("/etc/langsbx")
    with open("/etc/langsbx/config.yaml", "w", encoding="ascii") as handle:
        handle.write(f"guard: {{{text}}}\n")


def asking(it, annotations=None, flag=None, variable=None):
    made = it.bundle("sh", "-c", "nc -h 2> /dev/null; echo ran")
    made.config["annotations"] = {f"io.langsbx.{name}": value for name, value in (annotations or {}).items()}
    if flag:
        it.rt.globals += ["--profile", flag]
    if variable:
        made.process["env"].append(f"LANGSBX_PROFILE={variable}")
    return it.run(made)


@only("langsbx")
@needs("root")
def test_administrator_stands_above_all(it):
    administrator("mode: enforce, profile: default")
    asking(it).fails("<command line>:1:")
    asking(it, {"guard": "off"}).fails("would loosen")
    asking(it, {"profile": "build-tool"}).fails("would loosen")
    asking(it, variable="build-tool").fails("<command line>:1:")  # an image's wish is passed over
    asking(it, flag="build-tool").fails("would loosen")


@only("langsbx")
@needs("root")
def test_administrator_lets_loosen(it):
    administrator("mode: enforce, profile: default, loosen: [annotation]")
    equal(asking(it, {"guard": "off"}).ok().out, "ran\n")
    equal(asking(it, {"guard": "observe"}).ok().out, "ran\n")
    asking(it, variable="build-tool").fails("<command line>:1:")


@only("langsbx")
@needs("root")
def test_weaker_ones_tighten(it):
    administrator("mode: observe")
    equal(asking(it).ok().out, "ran\n")
    asking(it, {"guard": "enforce"}).fails("<command line>:1:")


@only("langsbx")
@each(annotation={"annotations": {"guard": "off"}, "flag": "default"},
      profile={"annotations": {"profile": "build-tool"}, "flag": "default"})
def test_flag_stands_above_annotation(it, said):
    asking(it, **said).fails("would loosen")


@only("langsbx")
def test_annotation_stands_above_environment(it):
    asking(it, {"profile": "default"}, variable="build-tool").fails("<command line>:1:")
    expect(asking(it, {"guard": "off"}, variable="default").ok().out == "ran\n", "off by annotation")
