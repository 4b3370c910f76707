"""Attacks of autumn 2026 on runtimes of the family, named as in SECURITY.md; each must fail to get out."""
import json
import os
import socket

from harness.case import contains, each, equal, expect, only


def without_dev(made, *kept):
    """/dev is the image's own."""
    made.config["mounts"] = [m for m in made.config["mounts"] if not m["destination"].startswith("/dev") or m["destination"] in kept]
    return made


@each(absolute="{trap}/made", relative="../../../../../../../../..{trap}/made", dangling="/no/such/folder", none="")
def test_console_link_makes_no_file_of_the_host(it, target):
    """CVE-2026-88264: /dev/console of the image is a link; devices are made before the root is entered."""
    trap = f"{it.folder}/trap"
    os.mkdir(trap)
    for number, readonly in enumerate((False, True)):
        made = without_dev(it.bundle("true"), "/dev/pts")
        os.makedirs(made.rootfs + "/dev", exist_ok=True)
        if target:
            os.symlink(target.format(trap=trap), made.rootfs + "/dev/console")
        made.config["root"]["readonly"] = readonly
        made.process["terminal"] = True
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(f"{it.folder}/console-{number}")
            server.listen()
            result = it.create(made, "--console-socket", f"{it.folder}/console-{number}", suffix=f"c{number}")
        equal(os.listdir(trap), [], "made on the host")
        if it.rt.name == "langsbx" and target:
            result.fails("/dev/console: it is a symlink")
        elif it.rt.name == "langsbx":
            result.ok()


@each(file=("victim", False), device=("zero", False), file_in_a_bound_dev=("victim", True), device_in_a_bound_dev=("zero", True))
def test_null_link_gives_no_file_to_the_program(it, row):
    """CVE-2026-88265: /dev/null of the image leads to a file of the host that is mounted into the container. Where /dev is a volume,
    nothing is made in it, and the program starts."""
    name, bound = row
    victim = f"{it.folder}/victim"
    with open(victim, "w", encoding="ascii") as handle:
        handle.write("precious")
    made = without_dev(it.bundle(shell="for n in 0 1 2; do echo $n:$(readlink /proc/self/fd/$n); done; echo gone >&0; echo more"))
    made.process["user"] = {"uid": 1000, "gid": 1000}
    made.mount("/victim", "bind", victim, "bind").mount("/zero", "bind", "/dev/zero", "bind")
    place = f"{it.folder}/dev" if bound else made.rootfs + "/dev"
    os.makedirs(place, exist_ok=True)
    os.symlink("/" + name, f"{place}/null")
    if bound:
        made.mount("/dev", "bind", place, "bind")
    result = it.run(made)
    expect(name not in result.text, result.text)
    if bound:
        contains(result.out, "0:")
    elif it.rt.name == "langsbx":
        result.fails("/dev/null: another file is there already")
    with open(victim, encoding="ascii") as handle:
        equal(handle.read(), "precious")
    for path in (victim, "/dev/zero"):
        equal(os.stat(path).st_uid, 0, "its owner")


@each(fd="fd", self_="self", proc="proc", thread="thread-self")
def test_readonly_root_is_not_led_astray(it, name):
    """CVE-2026-115521: the image has /proc/self/fd of its own, with links to another mount. Landlock would hide what is left writable."""
    made = it.bundle(shell="echo x > /new && echo written; true").mount("/other", "tmpfs")
    made.config["mounts"] = [m for m in made.config["mounts"] if m["destination"] != "/proc"]
    made.linux["maskedPaths"] = made.linux["readonlyPaths"] = []
    made.config["annotations"] = {"io.langsbx.landlock": "off"}
    made.config["root"]["readonly"] = True
    folder = {"fd": "/proc/self/fd", "self": "/proc/self", "proc": "/proc", "thread-self": "/proc/thread-self/fd"}[name]
    os.makedirs(made.rootfs + folder, exist_ok=True)
    os.makedirs(made.rootfs + "/other", exist_ok=True)
    for number in range(64):
        os.symlink("/other", f"{made.rootfs}{folder}/{number}")
    made.mount("/readonly", "tmpfs", "tmpfs", "ro").mount("/bound", "bind", "/usr/share", "rbind", "ro")
    made.process["args"][-1] += "; for d in /readonly /bound; do echo x > $d/new && echo written; done; touch /other/new && echo kept"
    result = it.run(made)
    expect("written" not in result.out, result.text)
    contains(result.out, "kept")
    expect(not os.path.exists(f"{made.rootfs}/new"), "the root could be written to")


@only("langsbx")
@each(bracket="/a]:b", plain="/a")
def test_nothing_is_restored(it, place):
    """CVE-2026-119101, CVE-2026-115520: images named mounts of a restore. There is none; nothing is mounted by one."""
    made = it.bundle("sleep", "1000").mount(place, "bind", "/usr", "rbind", "ro")
    it.started(made)
    image = f"{it.folder}/image"
    os.mkdir(image)
    with open(f"{image}/descriptors.json", "w", encoding="ascii") as handle:
        json.dump(["/etc/passwd"] * 3, handle)
    it.rt("checkpoint", "--image-path", image, it.id()).fails("can't be checkpointed")
    it.rt("restore", "--image-path", image, "--bundle", made.path, it.id("second")).fails("can't be checkpointed")
    expect(it.rt.state(it.id())["status"] == "running", "it goes on")
    it.rt("state", it.id("second")).fails("does not exist")


@only("langsbx")
@each(handler={"run.oci.handler": "krun"}, passt={"run.oci.handler": "krun", "krun.use_passt": "1"})
def test_no_handler_runs_what_the_image_holds(it, annotations):
    """CVE-2026-84042: a handler of crun's ran a program of the image as root of the host."""
    made = it.bundle("true")
    made.config["annotations"] = annotations
    mark = f"{it.folder}/mark"
    for name in ("/usr/bin/passt", "/usr/bin/krun", "/passt", "/krun"):
        made.file(name, f"#!/bin/sh\ntouch {mark}\n", 0o755)
    it.run(made)
    expect(not os.path.exists(mark), "a program of the image ran on the host")


@each(user=False, user_namespace=True)
def test_the_hosts_null_keeps_its_owner(it, user_namespace):
    """Where it is a stream: a runtime that gives streams to the program's user must leave that one alone (crun 1.8.1 does not)."""
    made = it.bundle("sleep", "1000")
    made.process["user"] = {"uid": 1000, "gid": 1000}
    if user_namespace:
        made.user_namespace()
    try:
        with open("/dev/null", "r+b") as null:
            box = it.started(made)
            for words in (["exec", box, "true"], ["exec", "--user", "7:7", box, "true"]):
                made_so = it.rt.start_call(*words, stdin=null, stdout=null, stderr=null)
                equal(made_so.wait(20 * it.settings.slow), 0)
        equal((os.stat("/dev/null").st_uid, os.stat("/dev/null").st_gid), (0, 0))
    finally:
        os.chown("/dev/null", 0, 0)
