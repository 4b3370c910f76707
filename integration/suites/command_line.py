"""What the clients parse: --version, features, spec, ps, events, logs, wrong arguments, names of the program."""
import json
import os
import re
import shutil

from harness.case import contains, each, equal, expect, only, needs, slow


def test_version(it):
    lines = it.rt("--version").ok().out.splitlines()
    expect(re.match(r"^\S+ version \d+\.\d+", lines[0]), f"first line {lines[0]!r}")
    expect(any(l.startswith("spec: 1.") for l in lines), f"no spec line in {lines}")


@only("langsbx")
@each(runc="runc", crun="crun")
def test_called_by_another_name(it, name):
    os.symlink(it.rt.path, f"{it.folder}/{name}")
    out = it.rt(argv=[f"{it.folder}/{name}", "--version"]).ok().out
    expect(out.startswith(f"{name} version "), out)
    it.rt.path = f"{it.folder}/{name}"
    equal(it.sh("echo through"), "through")


def test_help(it):
    contains(it.rt("--help").ok().text.lower(), "create")


@only("langsbx", "runc")
def test_help_of_a_command(it):
    for words in (["kill", "--help"], ["help", "kill"]):
        contains(it.rt(*words).ok().text, "--all")


@each(text=[], json=["--log-format", "json"])
def test_debug(it, format):
    log = f"{it.folder}/log"
    it.rt.globals = ["--log", log, "--debug", *format]
    equal(it.sh("echo hello"), "hello")
    with open(log, encoding="utf-8") as handle:
        lines = handle.read().splitlines()
    expect(len(lines) > 3 and all(('"level":"debug"' if format else " level=debug ") in line for line in lines), lines)


@only("langsbx")
@each(landlock=("--landlock", "maybe"), cgroup_manager=("--cgroup-manager", "cgroups"), rootless=("--rootless", "perhaps"))
def test_a_wrong_value_stands_in_the_log(it, words):
    """Engines give such options before --log, and read the file only."""
    log = f"{it.folder}/log"
    result = it.rt(argv=[it.rt.path, *words, "--log", log, "--log-format", "json", "state", "x"])
    equal(result.code, 1)
    with open(log, encoding="utf-8") as handle:
        contains(json.loads(handle.read())["msg"], f'invalid value "{words[1]}"', words[0][1:])


@only("langsbx")
def test_warnings_come_before_the_end(it):
    made = it.bundle("sleep", "100")
    made.process["capabilities"]["bounding"].append("CAP_OF_NO_KERNEL")
    made.write()
    with open(f"{it.folder}/stderr", "w+b") as err:
        child = it.spawn("run", "--bundle", made.path, it.id(), stderr=err)
        it.until("the warning", lambda: b"CAP_OF_NO_KERNEL" in open(err.name, "rb").read())
        expect(child.poll() is None, "the program still runs")


def test_unknown_command(it):
    equal(it.rt("dance").fails("dance").code, 1 if it.rt.name == "crun" else 3)


def test_unknown_flag(it):
    it.rt("create", "--dance", "x").fails("dance")


def test_missing_id(it):
    it.rt("state").fails()


@each(slash="a/b", dots="..", dot=".", empty="", space="a b", newline="a\nb", quote="a'b", star="*")
def test_bad_id(it, name):
    made = it.bundle("true").write()
    it.rt("run", "--bundle", made.path, name).fails()
    expect(not os.path.exists(it.rt.root) or not [n for n in os.listdir(it.rt.root) if not n.startswith(".")], "state")


@each(plain="abc", mixed="A.b_c-d+e", digits="0123", long="x" * 120)
def test_good_id(it, name):
    made = it.bundle("true").write()
    it.rt("run", "--bundle", made.path, name).ok()


@only("langsbx")
def test_features(it):
    result = it.rt("features").ok()
    equal(result.err, "", "stderr (CRI-O reads it too)")
    found = json.loads(result.out)
    equal(found["ociVersionMin"], "1.0.0")
    expect(found["ociVersionMax"].startswith("1.3"), found["ociVersionMax"])
    expect({"prestart", "createRuntime", "createContainer", "startContainer", "poststart", "poststop"} ==
           set(found["hooks"]), found["hooks"])
    expect({"rro", "bind", "nosymfollow", "idmap", "tmpcopyup"} <= set(found["mountOptions"]), "mount options")
    expect({"time", "cgroup", "user"} <= set(found["linux"]["namespaces"]), "namespaces")
    expect(found["linux"]["seccomp"]["enabled"], "seccomp")
    expect("CAP_SYS_ADMIN" in found["linux"]["capabilities"], "capabilities")
    expect(found["linux"]["cgroup"]["v1"] and found["linux"]["cgroup"]["v2"], "cgroup")


@only("langsbx")
@slow(120)
def test_features_options_work(it):
    """No option is promised that a mount then refuses."""
    for option in json.loads(it.rt("features").ok().out)["mountOptions"]:
        if option in ("idmap", "ridmap", "remount", "bind", "rbind", "unbindable", "runbindable"):
            continue
        kind = ("bind", it.folder, "bind") if option == "rbind" else ("tmpfs", "tmpfs")
        made = it.bundle("true").mount("/m", kind[0], kind[1], *kind[2:], option)
        it.run(made, suffix=f"m{it.bundles}").ok()


def test_spec(it):
    made = it.bundle()
    it.rt("spec", cwd=made.path).ok()
    with open(f"{made.path}/config.json", encoding="utf-8") as handle:
        config = json.load(handle)
    equal(config["process"]["args"], ["sh"])
    expect(not config["process"]["capabilities"].get("inheritable"), "inheritable capabilities by default")
    it.rt("spec", cwd=made.path).fails("config.json")


def test_spec_runs(it):
    made = it.bundle()
    it.rt("spec", "--bundle", made.path).ok()
    with open(f"{made.path}/config.json", encoding="utf-8") as handle:
        made.config = json.load(handle)
    made.process["terminal"] = False
    made.linux["cgroupsPath"] = it.cgroup_path("spec")
    # Limits that this machine cannot raise are no matter of `spec`.
    made.process.pop("rlimits", None)
    equal(it.sh("echo ok", made), "ok")


def test_spec_rootless(it):
    made = it.bundle()
    it.rt("spec", "--rootless", "--bundle", made.path).ok()
    with open(f"{made.path}/config.json", encoding="utf-8") as handle:
        config = json.load(handle)
    expect("user" in [n["type"] for n in config["linux"]["namespaces"]], "no user namespace")
    equal(len(config["linux"]["uidMappings"]), 1)
    contains([m["destination"] for m in config["mounts"]], "/sys/fs/cgroup")


def test_ps_json(it):
    box = it.started(it.bundle(shell="sleep 900 & sleep 901 & wait"))
    it.until("three", lambda: len(json.loads(it.rt("ps", "--format", "json", box).ok().out)) == 3)
    pids = json.loads(it.rt("ps", "-f", "json", box).out)
    expect(it.rt.state(box)["pid"] in pids and all(isinstance(p, int) for p in pids), f"{pids}")


@needs("program:ps")
def test_ps_table(it):
    out = it.rt("ps", it.started()).ok().out
    contains(out, "PID")
    contains(out, "sleep 1000")


@needs("program:ps")
def test_ps_options(it):
    out = it.rt("ps", it.started(), "-o", "pid,comm").ok().out
    equal(out.split()[0], "PID")
    contains(out, "sleep")


def test_events_stats(it):
    box = it.started()
    found = json.loads(it.rt("events", "--stats", box).ok().out)
    equal((found["type"], found["id"]), ("stats", box))
    data = found["data"]
    expect(data["cpu"]["usage"]["total"] > 0, "cpu")
    equal(data["pids"]["current"], 1)
    expect(data["memory"]["usage"]["usage"] > 0, "memory")


def test_events_interval(it):
    box = it.started()
    with open(f"{it.folder}/events", "w+b") as out:
        child = it.spawn("events", "--interval", "1s", box, stdout=out)
        it.until("two events", lambda: open(out.name, "rb").read().count(b'"stats"') >= 2)
        child.terminate()
        child.wait()


def test_log_json(it):
    log = f"{it.folder}/log.json"
    it.rt.globals = ["--log", log, "--log-format", "json"]
    it.run(it.bundle("/nope"))
    with open(log, encoding="utf-8") as handle:
        lines = [json.loads(l) for l in handle.read().splitlines()]
    errors = [l for l in lines if l["level"] == "error"]
    equal(len(errors), 1, "error lines")
    contains(errors[0]["msg"], "no such file or directory")
    expect(re.match(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", errors[0]["time"]), errors[0]["time"])


def test_log_text(it):
    log = f"{it.folder}/log"
    it.rt.globals = ["--log", log]
    it.run(it.bundle("/nope"))
    with open(log, encoding="utf-8") as handle:
        contains(handle.read(), "level=error")


def test_quiet_when_well(it):
    log = f"{it.folder}/log.json"
    it.rt.globals = ["--log", log, "--log-format", "json"]
    result = it.run(it.bundle("true")).ok()
    equal(result.text, "")
    equal(open(log, encoding="utf-8").read() if os.path.exists(log) else "", "", "log of a good run")


@only("langsbx", "crun")
def test_config_flag(it):
    made = it.bundle("echo", "other").write()
    shutil.move(f"{made.path}/config.json", f"{it.folder}/other.json")
    out = it.rt("run", "--config", f"{it.folder}/other.json", "--bundle", made.path, it.id()).ok().out
    equal(out, "other\n")
