"""Texts that clients match, and configs that have to be refused before anything is made."""
import json
import os

from harness.case import contains, each, equal, expect, only


@each(absolute=("/nope", "no such file or directory"), in_path=("nosuchprogram", "executable file not found in $PATH"),
      not_executable=("/etc/passwd", "permission denied"), folder=("/etc", "permission denied"))
def test_start_text(it, value):
    program, text = value
    result = it.run(it.bundle(program)).fails()
    # dockerd compares in lower case only where it wants to: the text itself has to be lower case.
    contains(result.text, text)


@only("langsbx")
@each(absolute=("/nope", "no such file or directory"), in_path=("nosuch", "executable file not found in $PATH"))
def test_text_in_log(it, value):
    it.rt.globals = ["--log", f"{it.folder}/log.json", "--log-format", "json"]
    it.run(it.bundle(value[0]))
    with open(f"{it.folder}/log.json", encoding="utf-8") as handle:
        contains(json.loads(handle.read())["msg"], f'exec: "{value[0]}": ')


@only("langsbx")
@each(interpreter=("#!/no/such/interpreter\n", "no such file or directory", "its interpreter /no/such/interpreter"),
      crlf=("#!/bin/sh\r\necho\r\n", "no such file or directory", "the #! line ends in a carriage return"),
      empty=("", "exec format error", ""), text=("just text\n", "exec format error", ""))
def test_explains_what_cannot_start(it, value):
    """What execve said in runc's words; on a further line, why."""
    content, text, why = value
    it.run(it.bundle("/prog").file("/prog", content, 0o755)).fails(f"exec /prog: {text}\"\n{why}")
    made = it.bundle("sleep", "100").file("/prog", content, 0o755)
    it.started(made)
    said = it.rt("exec", it.id(), "/prog").fails(f"exec /prog: {text}\"\n{why}")
    equal(said.code, 255)


@only("langsbx")
def test_explains_wrong_architecture(it):
    made = it.bundle("/prog")
    with open(made.rootfs + "/prog", "wb") as handle:
        # The ELF header of an aarch64 program.
        handle.write(b"\x7fELF\x02\x01\x01" + b"\0" * 9 + b"\x02\0\xb7\0\x01\0\0\0" + b"\0" * 40)
    os.chmod(made.rootfs + "/prog", 0o755)
    it.run(made).fails("architecture")


@each(state=("state",), start=("start",), kill=("kill",), delete=("delete",), pause=("pause",), resume=("resume",),
      ps=("ps",), exec_=("exec",), events=("events", "--stats"))
def test_unknown_container(it, words):
    more = ["true"] if words[0] == "exec" else []
    it.rt(*words, "nobody", *more).fails("does not exist")


def test_no_bundle(it):
    it.rt("create", "--bundle", "/no/bundle", it.id()).fails("/no/bundle")


def test_no_config(it):
    made = it.bundle()
    it.rt("create", "--bundle", made.path, it.id()).fails("config.json")


MALFORMED = {
    "empty": "", "open": "{", "array": "[]", "null": "null", "garbage": "\0\1\2", "trailing": '{"ociVersion":"1.0.2"} x',
    "deep": '{"a":' * 20000, "deep_closed": "[" * 5000 + "]" * 5000, "number": "1e999999", "utf8": '{"\xff\xfe": 1}',
    "huge_string": '{"ociVersion": "' + "a" * (64 << 20),
}


@each(**MALFORMED)
def test_malformed(it, text):
    it.rt("create", "--bundle", it.bundle().write(text).path, it.id()).fails()
    expect(not os.path.exists(it.rt.root) or not [n for n in os.listdir(it.rt.root) if n[0] != "."], "state was made")


def put(config, path, value):
    *way, last = path.split(".")
    for key in way:
        config = config[int(key)] if isinstance(config, list) else config[key]
    if isinstance(config, list):
        config[int(last)] = value
    else:
        config[last] = value


WRONG = {
    "args_string": ("process.args", "true"), "args_number": ("process.args", [1]), "uid_text": ("process.user.uid", "0"),
    "uid_negative": ("process.user.uid", -1), "uid_too_big": ("process.user.uid", 1 << 33),
    "gid_fraction": ("process.user.gid", 1.5), "env_object": ("process.env", {}), "root_text": ("root", "rootfs"),
    "mounts_object": ("mounts", {}), "mount_number": ("mounts.0", 5), "options_text": ("mounts.1.options", "ro"),
    "namespaces_object": ("linux.namespaces", {}), "namespace_no_type": ("linux.namespaces.0", {}),
    "version_number": ("ociVersion", 1), "terminal_text": ("process.terminal", "yes"),
    "memory_text": ("linux.resources.memory", {"limit": "64M"}), "pids_text": ("linux.resources.pids", {"limit": "5"}),
    "hooks_array": ("hooks", []), "annotations_number": ("annotations", {"a": 1}), "linux_null_args": ("process.args", None),
}


@each(**WRONG)
def test_wrong_type(it, row):
    made = it.bundle("true")
    put(made.config, *row)
    result = it.create(made).fails()
    if it.rt.name == "langsbx":
        contains(result.text, row[0].split(".")[-1] if not row[0].split(".")[-1].isdigit() else row[0].split(".")[0])
    expect(not os.path.exists(it.cgroup_dir("pids", made)), "a cgroup was made")


@each(empty="", old="0.9.0", newer="2.0.0", garbage="banana")
def test_wrong_version_is_run(it, version):
    made = it.bundle("true")
    made.config["ociVersion"] = version
    said = it.run(made).ok()
    if it.rt.name == "langsbx":
        contains(said.err, f"ociVersion: unsupported version \\\"{version}\\\"")


@only("langsbx")
def test_no_version(it):
    made = it.bundle("true")
    del made.config["ociVersion"]
    it.create(made).fails("config.json: ociVersion: is required")


@each(old="1.0.0", later="1.1.0", newest="1.3.0", suffix="1.2.0-dev")
def test_versions_taken(it, version):
    made = it.bundle("true")
    made.config["ociVersion"] = version
    it.run(made).ok()


def test_unknown_fields_are_ignored(it):
    made = it.bundle("true")
    made.config["future"] = {"a": [1, {"b": None}]}
    made.process["future"] = 1
    made.linux["future"] = "x"
    it.run(made).ok()


@each(missing="nothing", file="config.json")
def test_root_not_a_folder(it, path):
    made = it.bundle("true")
    made.config["root"]["path"] = path
    it.create(made).fails()


def test_no_root(it):
    made = it.bundle("true")
    del made.config["root"]
    it.create(made).fails("root")


def test_no_process(it):
    made = it.bundle("true")
    del made.config["process"]
    it.run(made).fails("process")


@each(create="createRuntime", container="createContainer")
def test_failed_create_leaves_nothing(it, kind):
    made = it.bundle("true").hook(kind, "/bin/false")
    it.create(made).fails()
    expect(not os.path.exists(it.cgroup_dir("pids", made)), "the cgroup stays")
    equal([n for n in os.listdir(it.rt.root) if n[0] != "."] if os.path.exists(it.rt.root) else [], [], "state")
    # The same id is free again.
    made.config["hooks"] = {}
    it.run(made).ok()


@each(arrays=("mounts", 3000), env=("process.env", 20000))
def test_large_config(it, row):
    made = it.bundle("true")
    path, count = row
    if path == "process.env":
        made.process["env"] = ["PATH=/bin"] + [f"V{n}=x" for n in range(count)]
    else:
        made.config["annotations"] = {f"k{n}": "v" * 100 for n in range(count)}
    it.run(made).ok()
