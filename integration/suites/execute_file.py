"""langsbx execute: good programs of each language, bad ones and the true reason of their end."""
import json
import os
import shutil

from harness import host
from harness.case import contains, each, equal, expect, needs, only, slow

GOOD = {
    "python": ("py", "import sys\nprint('hello', sys.argv[1], input())\n"),
    "bash": ("sh", "read -r line\necho hello \"$1\" \"$line\"\n"),
    "javascript": ("js", "const fs = require('fs');\n"
                         "console.log('hello', process.argv[2], fs.readFileSync(0, 'utf8').trim());\n"),
    "c": ("c", "#include <stdio.h>\nint main(int argc, char **argv) { char line[80] = \"\";\n"
               "if (fgets(line, 80, stdin)) printf(\"hello %s %s\", argc > 1 ? argv[1] : \"\", line); return 0; }\n"),
    "cpp": ("cpp", "#include <iostream>\n#include <string>\nint main(int, char **argv) { std::string line;\n"
                   "std::getline(std::cin, line); std::cout << \"hello \" << argv[1] << ' ' << line << '\\n'; }\n"),
}


def source(it, text, extension="py"):
    path = f"{it.folder}/main.{extension}"
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(text)
    return path


def record(it, text, *options, extension="py", **more):
    result = it.rt("execute", "--json", *options, source(it, text, extension), **more)
    expect(result.out.startswith("{"), f"no record: {result.text[-500:]}")
    made = json.loads(result.out)
    equal(result.code, made["exit_code"], "exit status and record")
    return made


def good(it, language):
    extension, text = GOOD[language]
    result = it.rt("execute", source(it, text, extension), "--", "you", stdin="there\n")
    equal(result.ok().out.strip(), "hello you there")


@only("langsbx")
def test_python(it):
    good(it, "python")


@only("langsbx")
def test_bash(it):
    good(it, "bash")


@only("langsbx")
@needs("path:/usr/bin/node")
def test_javascript(it):
    good(it, "javascript")


@only("langsbx")
@needs("path:/usr/bin/gcc")
def test_c(it):
    good(it, "c")


@only("langsbx")
@needs("path:/usr/bin/g++")
def test_cpp(it):
    good(it, "cpp")


@only("langsbx")
@needs("path:/usr/bin/gcc")
def test_compile_error(it):
    made = record(it, "int main(void) { return nothing; }\n", extension="c")
    equal(made["status"], "compile_error")
    contains(made["stderr"], "nothing")


@only("langsbx")
@needs("root", "landlock:1")
def test_a_compiler_starts_its_own_parts_alone(it):
    """A compiler of another root that starts what is none of its parts."""
    made = it.bundle("sh")
    busybox = os.path.realpath(f"{made.rootfs}/bin/busybox")
    for path in ("/bin/sh", "/usr/bin/id", "/usr/bin/as"):
        place = made.rootfs + path
        os.makedirs(os.path.dirname(place), exist_ok=True)
        if os.path.lexists(place):
            os.unlink(place)
        shutil.copy(busybox, place)
        os.chmod(place, 0o755)
    made.file("/usr/bin/gcc", "#!/bin/sh\n/usr/bin/id >&2 && echo started >&2\n/usr/bin/as >&2\necho status $? >&2\nexit 1\n", 0o755)
    path = source(it, "int main(void) { return 0; }\n", "c")
    record = json.loads(it.rt("execute", "--json", "--rootfs", made.rootfs, path).out)
    equal(record["status"], "compile_error", str(record["stderr"]))
    expect("started" not in record["stderr"] and "uid=" not in record["stderr"], record["stderr"])
    contains(record["stderr"], "/usr/bin/id: Permission denied")
    contains(record["stderr"], "applet not found")  # busybox by the name of the assembler: it ran


@only("langsbx")
@needs("root", "landlock:6")
@each(flag="flag", administrator="administrator")
def test_landlock_that_is_required(it, by):
    """It reaches execute: tiers without Landlock are refused, the others run."""
    if by == "administrator":
        host.private_mounts()
        os.makedirs("/etc/langsbx", exist_ok=True)
        host.mount("tmpfs", "/etc/langsbx", "tmpfs", 0)
        with open("/etc/langsbx/config.yaml", "w", encoding="ascii") as handle:
            handle.write("landlock: {mode: required}\n")
    else:
        it.rt.globals += ["--landlock", "required"]
    path = source(it, "echo ran\n", "sh")
    for tier in ("container", "light"):
        equal(it.rt("execute", "--isolation", tier, path).ok().out, "ran\n")
    for tier in ("off", "maximum"):
        options = ["--oci-runtime", it.rt.path] if tier == "maximum" else []
        result = it.rt("execute", "--isolation", tier, *options, path).fails("Landlock is required")
        expect("ran" not in result.out, result.out)


@only("langsbx")
def test_refused(it):
    made = record(it, "import socket\n")
    equal((made["status"], made["exit_code"]), ("rejected", 126))
    expect(made["violations"], "no violation is named")


@only("langsbx")
def test_missing_file(it):
    equal(it.rt("execute", f"{it.folder}/none.py").code, 127)


@only("langsbx")
def test_timeout(it):
    made = record(it, "import time\ntime.sleep(60)\n", "--timeout", "500ms")
    equal((made["status"], made["kill_reason"], made["exit_code"]), ("timeout", "timeout", 124))


@only("langsbx")
def test_processor_time(it):
    made = record(it, "while True:\n    pass\n", "--cpu-time", "1s", "--timeout", "20s")
    equal((made["status"], made["kill_reason"]), ("killed", "cpu_limit"))


@only("langsbx")
@needs("root", "controller:memory")
def test_memory(it):
    made = record(it, "kept = []\nwhile True:\n    kept.append(bytearray(1 << 20))\n", "--memory", "32M")
    equal((made["status"], made["kill_reason"]), ("killed", "memory_limit"))


@only("langsbx")
def test_output_flood(it):
    made = record(it, "while True:\n    print('x' * 1000)\n", "--output", "64K")
    equal((made["status"], made["kill_reason"], made["truncated"]), ("killed", "output_limit", True))
    equal(len(made["stdout"]), 65536)


@only("langsbx")
def test_disk(it):
    made = record(it, "with open('big', 'wb') as big:\n    while True:\n        big.write(bytes(1 << 16))\n",
                  "--disk", "1M")
    expect(made["status"] in ("failed", "killed"), made["status"])
    expect(any(v["type"] == "disk_limit" for v in made["violations"]), made["violations"])


@only("langsbx")
def test_exit_codes(it):
    equal(record(it, "raise SystemExit(7)\n")["exit_code"], 7)


@only("langsbx")
def test_nothing_outside(it):
    made = record(it, "for path in ('/usr/x', '/x', '/source/x', '/etc/x'):\n    try:\n        open(path, 'w')\n"
                      "        print('wrote', path)\n    except OSError as error:\n        print(error.errno)\n",
                  extension="py")
    expect("wrote" not in made["stdout"], made["stdout"])


@only("langsbx")
def test_files(it):
    path = f"{it.folder}/in.txt"
    with open(path, "w", encoding="utf-8") as handle:
        handle.write("words\n")
    code = source(it, "with open('in.txt') as given, open('out.txt', 'w') as made:\n    made.write(given.read() * 2)\n")
    it.rt("execute", "--input", path, "--artifact", "*.txt", code, cwd=it.folder).ok()
    with open(f"{it.folder}/out.txt", encoding="utf-8") as handle:
        equal(handle.read(), "words\nwords\n")


@only("langsbx")
@slow(30)
def test_nothing_stays(it):
    code = source(it, "print(1)\n")
    for _ in range(5):
        it.rt("execute", code).ok()
    for top in filter(os.path.isdir, ("/sys/fs/cgroup/memory", "/sys/fs/cgroup")):
        names = [name.removeprefix("langsbx-execute-") for name in os.listdir(top) if name.startswith("langsbx-execute")]
        left = [name for name in names if not os.path.exists(f"/proc/{name.split('-')[0]}")]
        equal(left, [], f"cgroups in {top}")


@only("langsbx")
@needs("root", "controller:pids")
def test_thread_bomb(it):
    made = record(it, "import threading, time\nwhile True:\n    try:\n"
                      "        threading.Thread(target=time.sleep, args=(30,), daemon=True).start()\n"
                      "    except RuntimeError:\n        pass\n", "--timeout", "15s")
    equal((made["status"], made["kill_reason"]), ("killed", "process_limit"))


@only("langsbx")
@each(env=("--env", "A"), runtime=("--oci-runtime", "/bin/true"), profile=("--profile", "none-such"), timeout=("--timeout", "soon"),
      memory=("--memory", "0"), isolation=("--isolation", "none-such"))
def test_options_are_refused(it, options):
    result = it.rt("execute", *options, source(it, "print(1)\n"))
    equal((result.code, result.out), (125, ""), result.text)
    expect(options[0] in result.text or options[1] in result.text, result.text)
    expect("---" not in result.text, result.text)


@only("langsbx")
@needs("landlock:1")
@each(container="container", light="light")
def test_small_limits_are_the_programs(it, tier):
    # What making the sandbox writes and opens is not counted.
    made = record(it, "print('x')\n" + "#" * 20000 + "\n", "--isolation", tier, "--disk", "4K", "--files", "8")
    equal((made["status"], made["stdout"]), ("completed", "x\n"), made["stderr"][-300:])
    made = record(it, "try:\n    open('f', 'w').write('x' * 9000)\n    print('written')\nexcept OSError as fault:\n    print(fault.errno)\n",
                  "--isolation", tier, "--disk", "4K", "--files", "8")
    equal(made["stdout"], "27\n", made["stderr"][-300:])
