"""Code that nobody judged, by each way that is known to start it; and the wall behind: no second program."""
import os
import shutil
import socket
import sys

from harness import host
from harness.case import Skip, each, equal, expect, needs, only
from suites.guard import asked
from suites.guard_languages import on_host_system

HARM = "import os\nos.system('echo harm; id')\nprint('harm')\n"
NODE_HARM = "console.log('harm', require('child_process').execSync('id').toString())\n"


def long_first_line(interpreter):
    """The kernel ends it before "good", who reads on does not."""
    start = f"#!{interpreter} -c"
    return start + "import" + " " * (255 - len(start) - len("import") - len("evil")) + "evil" + "good\n"


REFUSED = {
    "first-line": ("/usr/bin/python3", "main.py", {"main.py": long_first_line("/usr/bin/python3"), "evil.py": HARM,
                                                   "evilgood.py": "x = 1\n"}),
    "library": ("/usr/bin/python3", "main.py", {"main.py": "import random\n", "bisect.py": HARM}),
    "library-package": ("/usr/bin/python3", "main.py", {"main.py": "import random\n", "bisect/__init__.py": HARM}),
    "library-by-name": ("/usr/bin/python3", "main.py", {"main.py": "import helper\n", "helper.py": "import random\n",
                                                        "bisect.py": HARM}),
    "node-modules": ("/usr/bin/node", "main.js", {"main.js": "require('lodash');\n",
                                                  "node_modules/lodash/index.js": NODE_HARM}),
}


def program(it, interpreter, name, files):
    made = on_host_system(it, interpreter, name, files[name])
    for path, text in files.items():
        made.file(f"/program/{path}", text, 0o755)
    return made


@only("langsbx")
@needs("landlock", "path:/usr/bin/python3", "path:/usr/bin/node")
@each(**{name: name for name in REFUSED})
def test_is_refused(it, name):
    interpreter, entry, files = REFUSED[name]
    made = program(it, interpreter, entry, files)
    if name == "first-line":
        made.process["args"] = ["/program/main.py"]
    result = it.run(made).fails("the language guard refuses")
    expect("harm" not in result.out, result.out)


@only("langsbx")
@needs("landlock", "path:/usr/bin/node")
@each(p=["-p", "-e"], print=["--print", "-e"], behind=["-e", "1", "-r", "/program/main.js", "-e"])
def test_node_options_hide_no_code(it, options):
    made = program(it, "/usr/bin/node", "main.js", {"main.js": NODE_HARM})
    made.process["args"] = ["/usr/bin/node", *options, NODE_HARM]
    result = it.run(made).fails("the language guard refuses")
    expect("harm" not in result.out, result.out)


@only("langsbx")
@needs("landlock", "path:/usr/bin/python3", "path:/usr/bin/node", "path:/usr/bin/bash")
@each(pth=("python3", "main.py", "print('main')\n", ".local/lib/python3.{}/site-packages/x.pth", "import os; print('harm')\n"),
      customize=("python3", "main.py", "print('main')\n", ".local/lib/python3.{}/site-packages/usercustomize.py", HARM),
      node=("node", "main.js", "try { require('lodash') } catch (e) {}\nconsole.log('main')\n",
            ".node_modules/lodash/index.js", "console.log('harm')\n"))
def test_home_brings_no_code(it, variant):
    interpreter, name, text, path, harm = variant
    files = {name: text}
    for minor in range(8, 17) if "{}" in path else [0]:
        files[path.format(minor)] = harm
    made = program(it, f"/usr/bin/{interpreter}", name, files)
    equal(it.run(made).ok().out, "main\n")


@only("langsbx")
@needs("landlock", "path:/usr/bin/bash")
def test_bash_reads_no_start_file_of_home(it):
    made = program(it, "/usr/bin/bash", "main.sh", {"main.sh": "", ".bashrc": "echo harm\n"})
    made.process["args"] = ["/usr/bin/bash", "-c", "echo main"]
    made.process["env"].append("SSH_CLIENT=1.2.3.4 5 6")
    equal(it.run(made).ok().out, "main\n")


# What the judge may miss, which a profile that allows these functions by their names stands for.
PROFILE = """name: lab
language: python
extends: default
description: For tests
functions: {allowed: [os.posix_spawn, os.waitpid]}
"""
ATTEMPT = """import os
try:
    child = os.posix_spawn({command[0]!r}, {command!r}, {{}})
    print('started', os.waitpid(child, 0)[1])
except OSError as error:
    print('refused', error.errno)
"""
SECOND = {"program": ["/usr/bin/id"], "shell": ["/usr/bin/sh", "-c", "echo started"],
          "loader": ["/lib64/ld-linux-x86-64.so.2", "/usr/bin/id"]}


def starts_none(result):
    expect("uid=" not in result.out and "started 0" not in result.out and "started\n" not in result.out, result.out)


@only("langsbx")
@needs("landlock:6", "path:/usr/bin/python3", "path:/lib64/ld-linux-x86-64.so.2")
@each(**{name: name for name in SECOND})
def test_no_second_program(it, name):
    host.private_mounts()
    made = program(it, "/usr/bin/python3", "main.py", {"main.py": ATTEMPT.format(command=SECOND[name])})
    made.config["annotations"]["io.langsbx.profile"] = "lab"
    host.mount("tmpfs", "/etc", "tmpfs", 0)
    os.makedirs("/etc/langsbx/profiles")
    with open("/etc/langsbx/profiles/lab.yaml", "w", encoding="ascii") as handle:
        handle.write(PROFILE)
    made.config["mounts"] = [m for m in made.config["mounts"] if not m["destination"].startswith("/etc")]
    starts_none(it.run(made))


@only("langsbx")
@needs("landlock:6", "path:/usr/bin/python3", "path:/lib64/ld-linux-x86-64.so.2")
@each(**{f"{tier}-{name}": (tier, name) for tier in ("container", "light") for name in SECOND})
def test_no_second_program_of_execute(it, variant):
    tier, name = variant
    with open(f"{it.folder}/lab.yaml", "w", encoding="ascii") as handle:
        handle.write(PROFILE)
    with open(f"{it.folder}/main.py", "w", encoding="ascii") as handle:
        handle.write(ATTEMPT.format(command=SECOND[name]))
    starts_none(it.rt("execute", "--isolation", tier, "--profile", f"{it.folder}/lab.yaml", f"{it.folder}/main.py"))


@only("langsbx")
@needs("landlock:6", "path:/usr/bin/dash", "path:/usr/bin/zcat")
def test_a_shell_starts_what_is_listed(it):
    """zcat is a script of sh itself."""
    made = program(it, "/usr/bin/dash", "main.sh", {"main.sh": "ls main.sh | sort\nzcat --version > out && echo two\n"})
    equal(it.run(made).ok().out, "main.sh\ntwo\n")


# dash reads two commands where the judge may read one word. What is not on the profile's list is no program for the kernel either.
@only("langsbx")
@needs("landlock:6", "path:/usr/bin/bash", "path:/usr/bin/python3")
@each(python="/usr/bin/python3", loader="/lib64/ld-linux-x86-64.so.2 /usr/bin/python3")
def test_a_shell_starts_nothing_else(it, command):
    host.private_mounts()
    made = program(it, "/usr/bin/bash", "main.sh", {"main.sh": f"{command} -c 'print(6 * 7)'\necho end\n"})
    made.config["annotations"]["io.langsbx.profile"] = "lab"
    host.mount("tmpfs", "/etc", "tmpfs", 0)
    os.makedirs("/etc/langsbx/profiles")
    with open("/etc/langsbx/profiles/lab.yaml", "w", encoding="ascii") as handle:
        handle.write("name: lab\nlanguage: bash\nextends: default\ndescription: For tests\nstages: {guard: observe}\n")
    made.config["annotations"]["io.langsbx.guard"] = "enforce"
    made.config["mounts"] = [m for m in made.config["mounts"] if not m["destination"].startswith("/etc")]
    result = it.run(made)
    expect("42" not in result.out, result.out)


# Debian's and Ubuntu's python3 has links into /etc; python:3-slim has all of it below /usr/local.
LAYOUTS = {"merged": ("/usr/bin/python3", True), "unmerged": ("/usr/bin/python3", False), "local": ("/usr/local/bin/python3", True)}


@only("langsbx")
@needs("landlock", "path:/usr/bin/python3")
@each(**{name: name for name in LAYOUTS})
def test_python_starts_without_a_word(it, layout):
    """With files that only its start reads: sitecustomize behind a link into /etc, the loader's cache."""
    interpreter, merged = LAYOUTS[layout]
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    made = it.bundle(interpreter, "/program/main.py")
    made.file("/program/main.py", "import hashlib, locale, mimetypes, zoneinfo, decimal\n"
                                  "print(mimetypes.guess_type('a.html')[0], zoneinfo.ZoneInfo('Europe/Berlin'))\n")
    shutil.rmtree(f"{made.rootfs}/lib64", ignore_errors=True)
    for folder in ("bin", "lib"):
        if interpreter.startswith("/usr/local"):
            os.makedirs(f"{made.rootfs}/usr/local/{folder}", exist_ok=True)
    libraries = [f"{folder}" for folder in ("lib", "lib64") if os.path.exists(f"/{folder}")]
    for folder in libraries:
        if merged:
            if not os.path.lexists(f"{made.rootfs}/{folder}"):
                os.symlink(f"usr/{folder}", f"{made.rootfs}/{folder}")
        else:
            os.makedirs(f"{made.rootfs}/{folder}", exist_ok=True)
            made.mount(f"/{folder}", "bind", os.path.realpath(f"/{folder}"), "rbind", "ro")
    for folder in ("lib", "lib64", "share", "bin"):
        if os.path.isdir(f"/usr/{folder}") and not (folder == "bin" and layout == "local"):
            os.makedirs(f"{made.rootfs}/usr/{folder}", exist_ok=True)
            made.mount(f"/usr/{folder}", "bind", f"/usr/{folder}", "rbind", "ro")
    if layout == "local":
        shutil.copy(os.path.realpath("/usr/bin/python3"), f"{made.rootfs}/usr/local/bin/{version}")
        os.symlink(version, f"{made.rootfs}/usr/local/bin/python3")
        os.makedirs(f"{made.rootfs}/usr/local/lib/{version}", exist_ok=True)
        made.mount(f"/usr/local/lib/{version}", "bind", f"/usr/lib/{version}", "rbind", "ro")
    shutil.copy("/etc/ld.so.cache", f"{made.rootfs}/etc/ld.so.cache")
    for path in (f"/etc/{version}", "/etc/python3", "/etc/ssl", "/etc/mime.types", "/etc/localtime"):
        if os.path.isdir(path):
            shutil.copytree(path, made.rootfs + path, symlinks=True, dirs_exist_ok=True)
        elif os.path.exists(path):
            shutil.copy(path, made.rootfs + path)
    made.process["env"] = ["PATH=/usr/local/bin:/usr/bin:/bin"]
    made.process["cwd"] = "/program"
    made.config["annotations"] = {"io.langsbx.guard": "enforce", "io.langsbx.profile": "default"}
    result = it.run(made).ok()
    equal((result.out, result.err), ("text/html Europe/Berlin\n", ""))


def own_profile(name, text):
    """The administrator's, of Python, that only this case sees."""
    host.private_mounts()
    os.makedirs("/etc/langsbx", exist_ok=True)
    host.mount("tmpfs", "/etc/langsbx", "tmpfs", 0)
    os.makedirs("/etc/langsbx/profiles")
    with open(f"/etc/langsbx/profiles/{name}.yaml", "w", encoding="ascii") as handle:
        handle.write(f"name: {name}\nlanguage: python\nextends: default\ndescription: For tests\n{text}")


def trees():
    """Root file systems with Python as distributions make them, one a folder; LANGSBX_IT_TREES names the folder above."""
    top = os.environ.get("LANGSBX_IT_TREES", "")
    found = sorted(os.listdir(top)) if top else []
    if not found:
        raise Skip("LANGSBX_IT_TREES names no folder of trees")
    return [f"{top}/{name}" for name in found]


@only("langsbx")
@needs("root", "landlock:3")
def test_python_of_a_distribution_starts_without_a_word(it):
    own_profile("look", "capabilities: {allow: [files.outside]}\n")
    for number, tree in enumerate(trees()):
        interpreter = next(f for f in ("/usr/local/bin/python3", "/usr/bin/python3") if os.path.exists(tree + f))
        made = it.bundle(interpreter, "/program/main.py")
        made.file("/program/main.py", "import hashlib, locale, zlib\nprint(hashlib.sha256(b'x').hexdigest()[:8])\n")
        made.file("/program/cache.py", "print(len(open('/etc/ld.so.cache', 'rb').read()) > 100)\n")
        for name in sorted(os.listdir(tree)):
            if os.path.islink(f"{made.rootfs}/{name}"):
                os.unlink(f"{made.rootfs}/{name}")
            if os.path.islink(f"{tree}/{name}"):
                shutil.rmtree(f"{made.rootfs}/{name}", ignore_errors=True)
                os.symlink(os.readlink(f"{tree}/{name}"), f"{made.rootfs}/{name}")
            elif name in ("usr", "etc", "var", "bin", "lib", "lib64"):
                shutil.rmtree(f"{made.rootfs}/{name}", ignore_errors=True)
                os.makedirs(f"{made.rootfs}/{name}")
                made.mount(f"/{name}", "bind", f"{tree}/{name}", "rbind", "ro")
        made.process["env"] = ["PATH=/usr/local/bin:/usr/bin:/bin"]
        made.process["cwd"] = "/program"
        made.config["annotations"] = {"io.langsbx.guard": "enforce", "io.langsbx.profile": "default"}
        result = it.run(made, suffix=str(number)).ok()
        equal((result.out, result.err), ("2d711642\n", ""), tree)
        # The loader's look at its cache, by a program that the judge would not let do it.
        made.process["args"][1] = "/program/cache.py"
        made.config["annotations"]["io.langsbx.profile"] = "look"
        equal(it.run(made, suffix=f"look{number}").ok().out, "True\n", tree)


# Each as if the judge had let it pass; T and U are the ports of servers on the host's loopback.
NETWORK_WAYS = {
    "udp": "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.sendto(b'x', ('127.0.0.1', U))\n",
    "tcp": "s = socket.socket()\ns.connect(('127.0.0.1', T))\n",
    "mptcp": "s = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)\ns.connect(('127.0.0.1', T))\n",
    "fast-open": "s = socket.socket()\ns.sendto(b'x', 0x20000000, ('127.0.0.1', T))\n",
    "listen": "s = socket.socket()\ns.listen()\n",
    "ping": "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP)\ns.sendto(b'x', ('127.0.0.1', 0))\n",
}


def servers():
    """Two sockets that somebody could reach, on the host's loopback."""
    stream, datagram = socket.socket(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    stream.bind(("127.0.0.1", 0))
    stream.listen()
    datagram.bind(("127.0.0.1", 0))
    return stream, datagram


@only("langsbx")
@needs("root", "landlock:4", "path:/usr/bin/python3")
@each(none="network: none\n", ports="network: container\nlandlock: {connect_tcp: [1], bind_tcp: [1]}\n",
      connect="network: container\nlandlock: {connect_tcp: [1]}\n")
def test_no_way_round_the_ports_of_tcp(it, network):
    """Landlock's ports are about connect() and bind() of TCP; the container has the host's network."""
    code = "import socket\n"
    stream, datagram = servers()
    for name, way in NETWORK_WAYS.items():
        body = way.replace("T)", f"{stream.getsockname()[1]})").replace("U)", f"{datagram.getsockname()[1]})")
        code += "try:\n" + "".join(f"    {line}\n" for line in body.splitlines())
        code += f"    print('{name} got')\nexcept OSError as e:\n    print('{name}', e.errno)\n"
    made = on_host_system(it, "/usr/bin/python3", "main.py", code)
    made.linux["namespaces"] = [one for one in made.linux["namespaces"] if one["type"] != "network"]
    made.config["annotations"] = {"io.langsbx.guard": "enforce", "io.langsbx.profile": "net"}
    own_profile("net", "capabilities: {allow: [network.connect, network.listen]}\n" + network)
    got = {line.split()[0]: line.split()[1] for line in it.run(made).ok().out.splitlines()}
    # Names are asked for by UDP where there is a network, and an unbound socket gets a port that nobody knows.
    open_ways = [] if "none" in network else ["udp", "ping"] + (["listen"] if "bind" in network else [])
    equal({name for name, answer in got.items() if answer == "got" and name not in open_ways}, set(), str(got))
    equal(sorted(got), sorted(NETWORK_WAYS))
    datagram.setblocking(False)
    if "none" in network:
        try:
            expect(False, f"arrived: {datagram.recv(100)}")
        except BlockingIOError:
            pass


OTHER_SOCKETS = {"vsock": "(40, 1)", "smc": "(43, 1)", "smc-as-tcp": "(2, 1, 256)", "tipc": "(30, 5)", "rds": "(21, 5)", "sctp": "(2, 5)"}
NO_SECCOMP = """name: net
language: python
description: For tests, without a seccomp profile
capabilities: {allow: [network.connect]}
landlock:
  read: [/usr/lib, /usr/lib64, /lib, /lib64, /etc/ld.so.cache, /etc/python3.11]
"""


@only("langsbx")
@needs("root", "landlock:4", "path:/usr/bin/python3")
@each(none="network: none\n", ports="  connect_tcp: [1]\nnetwork: container\n")
def test_no_other_family_of_sockets_is_a_way_out(it, network):
    """VSOCK reaches the host, others carry TCP: nobody asks Landlock about them, and the profile need not have one of seccomp."""
    own_profile("net", "")
    with open("/etc/langsbx/profiles/net.yaml", "w", encoding="ascii") as handle:
        handle.write(NO_SECCOMP + network)
    code = "import socket\n"
    for name, arguments in OTHER_SOCKETS.items():
        code += f"try:\n    socket.socket{arguments}\n    print('{name} got')\nexcept OSError as e:\n    print('{name}', e.errno)\n"
    made = on_host_system(it, "/usr/bin/python3", "main.py", code)
    made.config["annotations"] = {"io.langsbx.guard": "enforce", "io.langsbx.profile": "net"}
    equal(dict(line.split() for line in it.run(made).ok().out.splitlines()), dict.fromkeys(OTHER_SOCKETS, "13"))


@only("langsbx")
@needs("landlock:1")
def test_a_file_sourced_behind_cd_is_the_one_that_was_judged(it):
    """`cd sub; . ./lib.sh` runs /w/sub/lib.sh, whatever stands beside the script."""
    made = asked(it.bundle("sh", "main.sh"))
    made.process["cwd"] = "/w"
    made.file("/w/main.sh", "cd sub\n. ./lib.sh\n").file("/w/lib.sh", "echo judged\n").file("/w/sub/lib.sh", "nc -l 1\n")
    result = it.run(made).fails("closure-other-directory")
    expect("judged" not in result.out, result.out)
    # The script's own folder once more below itself: `sh sub/main.sh` goes to sub, where $0 means sub/sub.
    made = asked(it.bundle("sh", "sub/main.sh"))
    made.process["cwd"] = "/w"
    made.file("/w/sub/main.sh", "cd \"$(dirname \"$0\")\"\n. \"$(dirname \"$0\")/lib.sh\"\n")
    made.file("/w/sub/lib.sh", "echo judged\n").file("/w/sub/sub/lib.sh", "echo other\n")
    it.run(made, suffix="b").fails("lib.sh")
    made = asked(it.bundle("sh", "main.sh"))
    made.process["cwd"] = "/w"
    made.file("/w/main.sh", "cd \"$(dirname \"$0\")\"\n. ./lib.sh\ncd sub\n").file("/w/lib.sh", "echo judged\n").file("/w/sub/x", "")
    equal(it.run(made, suffix="c").ok().out, "judged\n")
