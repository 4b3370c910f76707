"""What the guard said stays when the container is gone; and containers are found by what people know of them."""
import json
import os
import shutil
import socket
import subprocess

from harness import host
from harness.case import contains, each, equal, expect, needs, only

from .guard import asked

LOG = "/var/log/langsbx"
POD = {"io.kubernetes.cri.container-name": "web", "io.kubernetes.cri.image-name": "shop:7",
       "io.kubernetes.cri.sandbox-name": "shop-1", "io.kubernetes.cri.sandbox-namespace": "sales"}


def own_log(config=""):
    """A log and an administrator's file that only this case sees."""
    host.private_mounts()
    host.mount("tmpfs", LOG, "tmpfs", 0, "mode=700")
    if config:
        host.mount("tmpfs", "/etc", "tmpfs", 0)
        os.makedirs("/etc/langsbx")
        with open("/etc/langsbx/config.yaml", "w", encoding="ascii") as handle:
            handle.write(config)


def lines(it, *options):
    return [json.loads(line) for line in it.rt("verdicts", "--json", *options).ok().out.splitlines()]


def harmful(it):
    return asked(it.bundle("sh", "-c", "nc -l 1"))


@only("langsbx")
@needs("root")
def test_stay_when_the_container_is_gone(it):
    own_log()
    made = harmful(it)
    made.config["annotations"].update(POD)
    it.run(made, suffix="bad").fails("error:")
    it.run(asked(it.bundle("sh", "-c", "echo fine")), suffix="good").ok()
    bad, good = lines(it)
    equal({name: bad[name] for name in ("container", "name", "image", "pod", "namespace", "mode", "verdict", "language", "profile", "refused", "count")},
          {"container": it.id("bad"), "name": "web", "image": "shop:7", "pod": "shop-1", "namespace": "sales", "mode": "enforce",
           "verdict": "findings", "language": "bash", "profile": "default", "refused": True, "count": len(bad["findings"])})
    expect(bad["findings"][0]["rule"] and bad["findings"][0]["line"] == 1, f"findings: {bad}")
    equal((good["container"], good["verdict"], good["refused"]), (it.id("good"), "clean", False))
    equal(lines(it, "--refused"), [bad])
    equal(lines(it, "--container", it.id("good")), [good])
    equal(lines(it, "--container", "shop-1", "--since", "10m"), [bad])
    equal(lines(it, "--since", "2999-01-01"), [])
    text = it.rt("verdicts").ok().out
    contains(text, "refused, enforcing (bash, profile default): ")
    contains(text, "(name web, pod shop-1, namespace sales, image shop:7)")
    contains(text, "\n  <command line>:1:")


@only("langsbx")
@needs("root")
def test_of_what_is_only_observed(it):
    own_log()
    it.run(it.bundle("sh", "-c", "nc -h; true"))
    [line] = lines(it)
    equal((line["mode"], line["verdict"], line["refused"]), ("observe", "findings", False))


@only("langsbx")
@needs("root")
def test_of_what_the_parent_refuses(it):
    """Before there is a child: no interpreter, and a profile that an annotation would loosen."""
    own_log("guard: {mode: enforce}\n")
    made = it.bundle("sleep", "1")
    made.config["annotations"] = dict(POD)
    it.run(made, suffix="a").fails("does not tell its language")
    made = it.bundle("sh", "-c", "true")
    made.config["annotations"] = {"io.langsbx.guard": "off"}
    it.run(made, suffix="b").fails("would loosen")
    first, second = lines(it, "--refused")
    equal((first["container"], first["pod"], first["verdict"], first["source"]), (it.id("a"), "shop-1", "unjudged", "sleep"))
    contains(first["problem"], "does not tell its language")
    equal((second["container"], second["verdict"]), (it.id("b"), "unjudged"))
    contains(second["problem"], "would loosen")
    contains(it.rt("verdicts", "--refused").ok().out, "sleep cannot be judged: ")


@only("langsbx")
@needs("root")
def test_nothing_is_made_where_nobody_asks(it):
    own_log()
    it.run(it.bundle("ls", "/")).ok()
    equal(os.listdir(LOG), [])


@only("langsbx")
@needs("root")
def test_the_file_is_put_aside_when_it_is_full(it):
    own_log("verdicts: {max_bytes: 2000, keep: 2}\n")
    for _ in range(12):
        it.run(harmful(it)).fails("error:")
    equal(sorted(os.listdir(LOG)), ["verdicts.jsonl", "verdicts.jsonl.1", "verdicts.jsonl.2"])
    for name in os.listdir(LOG):
        facts = os.stat(f"{LOG}/{name}")
        equal(facts.st_mode & 0o777, 0o600)
        expect(facts.st_size < 4000, f"{name} has {facts.st_size} bytes")
    times = [line["time"] for line in lines(it)]
    equal(times, sorted(times))


@only("langsbx")
@needs("root")
def test_many_write_at_once(it):
    own_log("verdicts: {max_bytes: 1000, keep: 50}\n")
    bundles = [harmful(it) for _ in range(24)]
    for made in bundles:
        made.write()
    children = [it.spawn("run", "--bundle", made.path, it.id(f"p{n}"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                for n, made in enumerate(bundles)]
    for child in children:
        child.wait(60)
    equal(sorted(line["container"] for line in lines(it)), sorted(it.id(f"p{n}") for n in range(24)))


@only("langsbx")
@needs("root")
@each(link="link", folder="folder link", others="others", pipe="pipe")
def test_follows_no_link_and_trusts_no_other(it, kind):
    own_log()
    target = f"{it.folder}/target"
    if kind == "link":
        os.symlink(target, f"{LOG}/verdicts.jsonl")
    elif kind == "folder link":
        host.libc.umount2(LOG.encode(), 2)
        host.mount("tmpfs", "/var/log", "tmpfs", 0, "mode=755")
        os.mkdir(target)
        os.symlink(target, LOG)
    elif kind == "others":
        os.chmod(LOG, 0o777)
    else:
        os.mkfifo(f"{LOG}/verdicts.jsonl")
    # Told, and no reason to stop the program; unless the administrator says so.
    result = it.run(asked(it.bundle("sh", "-c", "echo fine")))
    equal(result.ok().out, "fine\n")
    contains(result.err, "log of verdicts")
    expect(not os.path.isfile(target) and not (os.path.isdir(target) and os.listdir(target)), "written through a link")


@only("langsbx")
@needs("root")
@each(enforce=True, observe=False)
def test_a_required_log_is_required_under_an_enforced_profile(it, enforce):
    own_log("verdicts: {required: true}\n")
    os.symlink("/nowhere/there", f"{LOG}/verdicts.jsonl")
    made = asked(it.bundle("sh", "-c", "echo fine"), guard="enforce" if enforce else "observe")
    if enforce:
        it.run(made).fails("required by /etc/langsbx/config.yaml", "verdicts.jsonl")
    else:
        equal(it.run(made).ok().out, "fine\n")


@only("langsbx")
@needs("root")
def test_a_full_disk_is_told_and_fails_closed_where_required(it):
    own_log("verdicts: {required: true}\n")
    host.mount("tmpfs", LOG, "tmpfs", 0, "mode=700,size=4k")
    with open(f"{LOG}/verdicts.jsonl", "wb") as handle:
        handle.write(b"\n" * 4096)
    os.chmod(f"{LOG}/verdicts.jsonl", 0o600)
    it.run(asked(it.bundle("sh", "-c", "echo fine"))).fails("verdicts.jsonl", "no space left")


@only("langsbx")
@needs("root")
@each(syslog="syslog", journald="journald")
def test_go_to(it, target):
    place = f"{it.folder}/socket"
    own_log(f"verdicts: {{to: {target}, socket: {place}}}\n")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.bind(place)
        server.settimeout(20)
        it.run(harmful(it)).fails("error:")
        text = server.recv(1 << 16).decode()
    begin = "<30>langsbx: " if target == "syslog" else "PRIORITY=6\nSYSLOG_IDENTIFIER=langsbx\nMESSAGE="
    expect(text.startswith(begin + "{"), text[:80])
    equal(json.loads(text[len(begin):])["verdict"], "findings")


@only("langsbx")
@needs("root")
@each(syslog="/dev/log", journald="/run/systemd/journal/socket")
def test_go_to_the_usual_place(it, place):
    own_log(f"verdicts: {{to: {'syslog' if place == '/dev/log' else 'journald'}}}\n")
    if place != "/dev/log":
        host.mount("tmpfs", "/run", "tmpfs", 0, "mode=755")
        os.makedirs(os.path.dirname(place))
    aside = f"{place}.{it.tag}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        if os.path.lexists(place):
            os.rename(place, aside)
        try:
            server.bind(place)
            server.settimeout(20)
            it.run(harmful(it)).fails("error:")
            contains(server.recv(1 << 16).decode(), '"verdict":"findings"')
        finally:
            os.unlink(place)
            if os.path.lexists(aside):
                os.rename(aside, place)


@only("langsbx")
def test_the_files_fields_are_checked(it):
    own_log("verdicts: {to: printer}\n")
    it.run(harmful(it)).fails("/etc/langsbx/config.yaml:1:", "file, journald, syslog or off")


def as_docker(it, made):
    """A running container where Docker's runtime keeps its state, and the call without --root."""
    host.private_mounts()
    host.mount("tmpfs", "/run", "tmpfs", 0, "mode=755")
    name = "3f2a77" + "0" * 58
    root = "/run/docker/runtime-runc/moby"
    made.write()
    shutil.rmtree(it.rt.root, ignore_errors=True)
    os.makedirs(root)
    os.makedirs(it.rt.root, exist_ok=True)
    host.mount(it.rt.root, root, None, host.MS_BIND)
    it.rt("create", "--bundle", made.path, name).ok()
    it.rt("start", name).ok()
    os.makedirs(f"{root}/{'c' * 64}")
    with open(f"{root}/{'c' * 64}/state.json", "w", encoding="ascii") as handle:
        handle.write('{"id": "c", "init_process_pid": 1}')
    return name, lambda *args: it.rt(*args, argv=[it.rt.path, *args])


@only("langsbx")
@needs("root")
def test_containers_are_found_by_the_beginning_of_an_engines_id(it):
    name, call = as_docker(it, it.bundle("sh", "-c", "nc -h > /dev/null 2>&1; sleep 1000"))
    try:
        equal(json.loads(call("state", "3f2a77").ok().out)["id"], name)
        contains(call("inspect", "3f2").ok().out, "guard: observing (bash, profile default): 1 finding in <command line>\n  <command line>:1:")
        equal(call("exec", "3f2a77", "echo", "in").ok().out, "in\n")
        listed = call("list").ok()
        contains(listed.out, name)
        equal(listed.err, "")
        call("state", "3f").fails("container does not exist")  # too short to mean it
        call("state", "4").fails("container does not exist")
        # Whoever gives --root means that and nothing else.
        it.rt("state", "3f2a77").fails("container does not exist")
        it.rt("exec", "3f2a77", "true").fails("container does not exist")
    finally:
        shutil.rmtree(f"{it.rt.root}/{'c' * 64}")
        it.rt("delete", "--force", name).ok()


@only("langsbx")
@needs("root")
def test_another_users_folder_is_not_searched(it):
    # A record says what exec joins; root must not join what a user has written there.
    name, call = as_docker(it, it.bundle("sleep", "1000"))
    try:
        os.makedirs("/run/user/1000/langsbx")
        host.mount(it.rt.root, "/run/user/1000/langsbx", None, host.MS_BIND)
        os.chown(it.rt.root, 1000, 1000)
        call("exec", "3f2a77", "true").fails("container does not exist")
        expect(name not in call("list").ok().out, "listed")
        os.chown(it.rt.root, 0, 0)
        os.chmod(it.rt.root, 0o777)
        call("exec", "3f2a77", "true").fails("container does not exist")
    finally:
        os.chown(it.rt.root, 0, 0)
        shutil.rmtree(f"{it.rt.root}/{'c' * 64}")
        it.rt("delete", "--force", name).ok()


@only("langsbx")
@needs("root")
def test_nothing_is_done_by_another_users_record(it):
    """Its config.json names hooks: root who deletes a user's container would run them."""
    made = it.bundle("true")
    made.config["hooks"] = {"poststop": [{"path": "/bin/sh", "args": ["sh", "-c", f"id -u > {it.folder}/hooked"]}]}
    name = it.id()
    it.rt("create", "--bundle", made.write().path, name).ok()
    folder = f"{it.rt.root}/{name}"
    os.chown(folder, 1000, 1000)
    for call in (("start",), ("exec",), ("kill",), ("delete",), ("delete", "--force"), ("update", "--memory", "1"), ("pause",), ("ps",),
                 ("state",), ("inspect",), ("events", "--stats")):
        more = {"exec": ("true",), "kill": ("KILL",)}.get(call[0], ())
        it.rt(*call, name, *more).fails("belongs to user")
    contains(it.rt("list").ok().out, name)
    expect(not os.path.exists(f"{it.folder}/hooked"), "a hook ran")
    os.chown(folder, 0, 0)
    it.rt("delete", "--force", name).ok()
    equal(open(f"{it.folder}/hooked", encoding="ascii").read(), "0\n")


@only("langsbx")
@needs("root")
def test_files_in_a_record_s_place_hold_and_steer_nobody(it):
    """A pipe in place of the record, and a record whose texts a terminal would obey."""
    made = it.bundle("sleep", "1000")
    made.config["annotations"] = {"io.langsbx.landlock.read": "/bin,/etc\x1b[2J", "io.langsbx.landlock.execute": "/bin"}
    name = it.started(made)
    expect("\x1b" not in it.rt("inspect", name).ok().out, "inspect steers the terminal")
    with open(f"{it.rt.root}/{name}/state.json", encoding="utf-8") as handle:
        record = json.load(handle)
    users = f"{it.rt.root}/users"
    os.mkdir(users)
    os.chown(users, 1000, 1000)
    try:
        with open(f"{users}/state.json", "w", encoding="utf-8") as handle:
            json.dump({**record, "id": "users", "bundle": "/b\x1b[2J"}, handle)
        listed = it.rt("list").ok().out
        expect("users" in listed and "\x1b" not in listed, listed)
        os.unlink(f"{users}/state.json")
        os.mkfifo(f"{users}/state.json")
        contains(it.rt("list").ok().text, "not a regular file")
        verdicts = f"{it.folder}/verdicts.jsonl"
        with open(verdicts, "w", encoding="utf-8") as handle:
            handle.write(json.dumps({"time": "2026\x1b[2J", "mode": "\x1b[2J", "verdict": "clean", "refused": "x"}) + "\n")
        for flags in ((), ("--refused",)):
            expect("\x1b" not in it.rt("verdicts", "--folder", it.folder, *flags).ok().out, "verdicts steers the terminal")
        os.unlink(verdicts)
        os.mkfifo(verdicts)
        it.rt("verdicts", "--folder", it.folder).fails("not a regular file")
    finally:
        shutil.rmtree(users)


@only("langsbx")
@needs("root")
def test_a_users_link_to_a_folder_of_roots_is_not_followed(it):
    """Root's is what it leads to now; what it leads to when root uses it is the user's to say."""
    name, call = as_docker(it, it.bundle("sleep", "1000"))
    try:
        host.mount("tmpfs", "/run/docker", "tmpfs", 0, "mode=755")
        os.makedirs("/run/user/1000")
        os.symlink(it.rt.root, "/run/user/1000/langsbx")
        os.makedirs("/run/user/0")
        os.symlink(it.rt.root, "/run/user/0/langsbx")
        call("exec", "3f2a77", "true").fails("container does not exist")
        expect(name not in call("list").ok().out, "listed")
    finally:
        shutil.rmtree(f"{it.rt.root}/{'c' * 64}")
        it.rt("delete", "--force", name).ok()


@only("langsbx")
@needs("root")
def test_names_that_an_annotation_makes_long_lose_no_line(it):
    """A datagram takes 200 KiB: who names a pod would else keep it out of the journal."""
    own_log()
    made = harmful(it)
    made.config["annotations"].update({name: "\x01" * 60000 for name in POD})
    it.run(made).fails("error:")
    [line] = lines(it)
    equal((line["refused"], len(line["name"])), (True, 256))
    with open(f"{LOG}/verdicts.jsonl", encoding="utf-8") as handle:
        expect(len(handle.read()) < 48 << 10, "longer than a line may be")


@only("langsbx")
def test_findings_stand_on_lines_of_their_own(it):
    result = it.run(harmful(it)).fails("error:")
    expect("\n<command line>:1:" in result.err and "\\n" not in result.err, result.err)
    log = f"{it.folder}/log"
    it.rt.globals += ["--log", log, "--log-format", "json"]
    it.run(harmful(it)).fails("error:")
    with open(log, encoding="utf-8") as handle:
        [line] = handle.read().splitlines()
    contains(json.loads(line)["msg"], "\n<command line>:1:")
