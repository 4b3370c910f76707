"""kill -9 at any point, many at once, calls that race: whatever happens, delete --force cleans up."""
import os
import random
import signal
import subprocess
import threading
import time

from harness import host
from harness.case import Failure, each, equal, expect, needs, only, slow


def clean(it, name, made):
    it.rt("delete", "--force", name).ok()
    it.until("the cgroup to go", lambda: not os.path.exists(it.cgroup_dir("pids", made)))
    it.rt("state", name).fails("does not exist")


@slow(120)
@each(create="create", run="run")
def test_killed_at_random_points(it, verb):
    """The runtime dies after 0 to 30 ms; nothing may outlive delete --force."""
    generator = random.Random(7)
    made = it.bundle("sleep", "1000").write()
    for round_number in range(40):
        name = it.id(f"k{round_number}")
        made.linux["cgroupsPath"] = it.cgroup_path(f"k{round_number}")
        made.write()
        words = it.rt.argv(verb, "--bundle", made.path, name)
        child = it.background(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        time.sleep(generator.uniform(0, 0.03) * it.settings.slow)
        child.kill()
        child.wait()
        it.rt("delete", "--force", name).ok()
    it.until("all cgroups to go", lambda: not [
        n for n in os.listdir(os.path.dirname(it.cgroup_dir("pids", made))) if n.startswith(it.tag + "-")])


@slow(60)
def test_start_killed(it):
    for round_number in range(15):
        made = it.bundle("sleep", "1000")
        name = it.id(f"s{round_number}")
        it.create(made, suffix=f"s{round_number}").ok()
        child = it.background(it.rt.argv("start", name), stderr=subprocess.DEVNULL)
        time.sleep(0.001 * round_number)
        child.kill()
        child.wait()
        clean(it, name, made)


@slow(60)
@each(delete=("delete", "--force"), pause=("pause",), update=("update", "--pids-limit", "77"), kill=("kill",))
def test_other_calls_killed(it, words):
    for round_number in range(8):
        made = it.bundle("sleep", "1000")
        name = it.started(made, suffix=f"o{round_number}")
        verb, *flags = words
        child = it.background(it.rt.argv(verb, *flags, name), stderr=subprocess.DEVNULL)
        time.sleep(0.001 * round_number * it.settings.slow)
        child.kill()
        child.wait()
        clean(it, name, made)


def test_init_killed_while_created(it):
    made = it.bundle("true")
    it.create(made).ok()
    os.kill(it.rt.state(it.id())["pid"], signal.SIGKILL)
    it.rt.wait_status(it.id(), "stopped")
    it.rt("start", it.id()).fails()
    clean(it, it.id(), made)


def test_exec_killed(it):
    made = it.bundle("sleep", "1000")
    box = it.started(made)
    for number in range(10):
        child = it.background(it.rt.argv("exec", box, "sleep", "100"), stderr=subprocess.DEVNULL)
        time.sleep(0.003 * number)
        child.kill()
        child.wait()
    equal(it.rt("exec", box, "echo", "alive").ok().out, "alive\n")
    clean(it, box, made)


@slow(200)
def test_two_hundred_eight_at_a_time(it):
    bundles = [it.bundle(shell="exit 3") for _ in range(8)]
    failures = []

    def work(lane):
        for round_number in range(25):
            suffix = f"p{lane}x{round_number}"
            bundles[lane].linux["cgroupsPath"] = it.cgroup_path(suffix)
            bundles[lane].write()
            name = f"{it.tag}-{suffix}"
            done = subprocess.run(it.rt.argv("run", "--bundle", bundles[lane].path, name), capture_output=True, text=True,
                                  timeout=60 * it.settings.slow, check=False, stdin=subprocess.DEVNULL)
            if done.returncode != 3:
                failures.append(f"{suffix}: {done.returncode} {done.stderr[-200:]}")

    lanes = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
    expect(not failures, f"{len(failures)} failed: {failures[:3]}")


def test_same_id_race(it):
    """Eight creates of one id: one wins, the others say so, and the winner works."""
    made = [it.bundle("sleep", "1000").write() for _ in range(8)]
    for one in made:
        one.linux["cgroupsPath"] = it.cgroup_path("race")
        one.write()
    it.id()
    calls = [it.background(it.rt.argv("create", "--bundle", one.path, it.id()), stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for one in made]
    codes = [c.wait(30) for c in calls]
    equal(codes.count(0), 1, f"winners among {codes}")
    it.rt("start", it.id()).ok()


def test_start_race(it):
    it.create(it.bundle("sleep", "1000")).ok()
    calls = [it.background(it.rt.argv("start", it.id()), stderr=subprocess.DEVNULL) for _ in range(6)]
    equal([c.wait(30) for c in calls].count(0), 1, "starts that won")


def test_delete_race(it):
    box = it.started()
    calls = [it.background(it.rt.argv("delete", "--force", box), stderr=subprocess.DEVNULL) for _ in range(6)]
    codes = [c.wait(30) for c in calls]
    expect(0 in codes, f"none succeeded: {codes}")
    it.rt("state", box).fails("does not exist")


def test_state_while_deleting(it):
    """state never shows half a container: an answer, or "does not exist"."""
    box = it.started()
    call = it.background(it.rt.argv("delete", "--force", box))
    while call.poll() is None:
        result = it.rt("state", box)
        if result.code != 0 and "does not exist" not in result.text:
            raise Failure(result.text)


def test_broken_state_file(it):
    """A damaged record is an error that says so, not a crash or a wrong answer; whole again, it works as before."""
    box = it.started()
    folder = f"{it.rt.root}/{box}"
    names = [n for n in os.listdir(folder) if n.endswith(".json") or n in ("state", "status")]
    expect(names, "no state file found")
    kept = {}
    for name in names:
        with open(f"{folder}/{name}", encoding="utf-8") as handle:
            kept[name] = handle.read()
        with open(f"{folder}/{name}", "w", encoding="utf-8") as handle:
            handle.write("{")
    it.rt("state", box).fails()
    for name, text in kept.items():
        with open(f"{folder}/{name}", "w", encoding="utf-8") as handle:
            handle.write(text)
    equal(it.rt.state(box)["status"], "running")


def runs(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as handle:
            return ") Z " not in handle.read()
    except (FileNotFoundError, ProcessLookupError):
        return False


@only("langsbx")
def test_delete_after_a_damaged_record(it):
    """delete --force finds processes and cgroups by config.json when state.json is damaged."""
    box = it.started()
    pid = it.rt.state(box)["pid"]
    with open(f"{it.rt.root}/{box}/state.json", "w", encoding="utf-8") as handle:
        handle.write("{")
    it.rt("delete", box).fails("state.json")
    it.rt("delete", "--force", box).ok()
    expect(not runs(pid), "the container's process still runs")
    expect(not os.path.exists(f"{it.rt.root}/{box}"), "the state directory is still there")


def test_pid_reuse_is_seen(it):
    """A recorded pid that now belongs to somebody else is not the container."""
    made = it.bundle("true")
    box = it.started(made)
    it.rt.wait_status(box, "stopped")
    it.rt("kill", box, "KILL").fails("not running")


def test_disk_full(it):
    small = f"{it.folder}/small"
    os.mkdir(small)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k,nr_inodes=2", "tmpfs", small], check=True)
    try:
        it.rt.root = f"{small}/state"
        made = it.bundle("true")
        it.create(made).fails()
        expect(not os.path.exists(it.cgroup_dir("pids", made)), "a cgroup stays")
    finally:
        subprocess.run(["umount", "-l", small], check=True)


def test_stdout_closed(it):
    made = it.bundle("echo", "x").write()
    call = subprocess.run(["sh", "-c", " ".join(it.rt.argv("run", "--bundle", made.path, it.id())) + " >&- 2>&- <&-"],
                          timeout=20, check=False)
    expect(call.returncode in (0, 1), f"exit {call.returncode}")


@needs("v1")
@each(all_hierarchies=False, v1_only=True)
def test_deleted_out_of_a_foreign_freezer(it, v1_only):
    """Somebody moved init into a frozen cgroup of his own: delete --force gets it out and does not wait for him."""
    if v1_only and host.cgroup_mode() == "hybrid":
        host.private_mounts()
        subprocess.run(["umount", "/sys/fs/cgroup/unified"], check=True)
    made = it.bundle("sleep", "1000")
    box = it.started(made)
    pid = it.rt.state(box)["pid"]
    foreign = f"/sys/fs/cgroup/freezer/{it.tag}-foreign"
    os.mkdir(foreign)
    try:
        for name, text in (("tasks", str(pid)), ("freezer.state", "FROZEN")):
            with open(f"{foreign}/{name}", "w", encoding="ascii") as handle:
                handle.write(text)
        clean(it, box, made)
        expect(not is_running(pid), "init lives")
    finally:
        with open(f"{foreign}/freezer.state", "w", encoding="ascii") as handle:
            handle.write("THAWED")
        it.until("the foreign cgroup to go", lambda: removed(foreign))


def is_running(pid):
    """And not merely waiting for its parent to take notice."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as handle:
            return handle.read().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def removed(directory):
    try:
        os.rmdir(directory)
    except OSError:
        return False
    return True
