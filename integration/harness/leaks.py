"""After each case: no process, mount, cgroup or state may be left of it."""
import os
import time


def processes(tag, folder):
    """Processes that carry the case's tag in their cgroup, arguments or root."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == os.getpid():
            continue
        try:
            with open(f"/proc/{entry}/cgroup", encoding="utf-8") as handle:
                inside = f"/{tag}-" in handle.read()
            with open(f"/proc/{entry}/cmdline", "rb") as handle:
                words = handle.read().decode("utf-8", "replace")
            with open(f"/proc/{entry}/stat", encoding="utf-8") as handle:
                zombie = ") Z " in handle.read()
        except (FileNotFoundError, ProcessLookupError):
            continue
        # The id ends the tag: case 1 must not see case 12.
        mentioned = f"{tag}-" in words or f"{folder}/" in words
        if (inside or mentioned) and not zombie:
            found.append((int(entry), words.replace("\0", " ").strip()[:100]))
    return found


def mounts(folder):
    with open("/proc/self/mountinfo", encoding="utf-8") as handle:
        return [line.split()[4] for line in handle if f"{folder}/" in line.split()[4] + "/"]


def cgroups(tag, parent):
    found, base = [], "/sys/fs/cgroup"
    tops = [base] if os.path.exists(f"{base}/cgroup.controllers") else [f"{base}/{n}" for n in os.listdir(base)]
    for top in tops:
        for folder in (f"{top}/{parent}", top):
            try:
                names = os.listdir(folder)
            except (FileNotFoundError, NotADirectoryError):  # another case may have removed it just now
                continue
            found += [f"{folder}/{n}" for n in names if n.startswith(f"{tag}-")]
    return found


def state(root):
    if not os.path.isdir(root):
        return []
    # Files that the runtime keeps for itself start with a dot (a cache, a lock).
    return [n for n in os.listdir(root) if not n.startswith(".")]


def find(world, patience=3.0):
    """What is left, as text; waits a moment for what is on its way out."""
    end = time.monotonic() + patience * world.settings.slow
    while True:
        left = []
        left += [f"process {pid} ({words})" for pid, words in processes(world.tag, world.folder)]
        left += [f"mount {path}" for path in mounts(world.folder)]
        left += [f"cgroup {path}" for path in cgroups(world.tag, world.settings.parent_cgroup)]
        left += [f"state {name}" for name in state(world.rt.root)]
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.05)


def remove(world):
    """Makes the machine clean after a leak was reported, so that later cases start fairly."""
    for pid, _ in processes(world.tag, world.folder):
        try:
            os.kill(pid, 9)
        except ProcessLookupError:
            pass
    time.sleep(0.1)
    for path in cgroups(world.tag, world.settings.parent_cgroup):
        for folder, _, _ in os.walk(path, topdown=False):
            try:
                os.rmdir(folder)
            except OSError:
                pass
    for path in reversed(mounts(world.folder)):
        os.system(f"umount -l '{path}' 2>/dev/null")
