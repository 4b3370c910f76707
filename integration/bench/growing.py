"""How the time of a start grows with what is on the host and in the config: langsbx and crun side by side."""
import os
import subprocess
import tempfile

from harness import host
from measure import interleaved
from starting import only_oci


def series(bench, points, prepare, words_of):
    """{point: {name: summary}}; prepare(point) changes the surroundings, words_of(contender, point) starts."""
    contenders = only_oci(bench, "langsbx", "crun")
    result = {}
    for point in points:
        prepare(point)
        result[str(point)] = interleaved(bench.meter, contenders, lambda c, p=point: words_of(c, p),
                                         max(7, bench.rounds // 10))
    return result


def host_mounts(bench):
    """Bind mounts in the caller's mount namespace (the bench's own, private one)."""
    folder = tempfile.mkdtemp(prefix="mounts-", dir=bench.lab.folder)
    made = []

    def prepare(count):
        while len(made) < count:
            target = f"{folder}/{len(made)}"
            os.mkdir(target)
            host.mount(folder, target, None, host.MS_BIND)
            made.append(target)
    try:
        return series(bench, (0, 1000, 10000), prepare, lambda c, _: c.run_words())
    finally:
        for target in reversed(made):
            host.libc.umount2(target.encode(), 2)


def state_directory(bench):
    """Other containers in the state directory: folders with the record of one that has ended."""
    contenders = only_oci(bench, "langsbx", "crun")

    def prepare(count):
        for contender in contenders:
            contender.start_box()
            source = f"{contender.root}/box"
            have = len([n for n in os.listdir(contender.root) if n.startswith("old")])
            for number in range(have, count):
                subprocess.run(["cp", "-a", source, f"{contender.root}/old{number}"], check=True)
            contender.stop_box()
    try:
        return series(bench, (0, 100, 1000), prepare, lambda c, _: c.run_words())
    finally:
        for contender in contenders:
            subprocess.run(f"rm -rf {contender.root}/old*", shell=True, check=False)


def config_size(bench):
    """Kilobytes of config.json, grown by annotations."""
    def words_of(contender, kilobytes):
        def change(config):
            config["annotations"] = {f"org.example.note{i:06}": "x" * 1000 for i in range(kilobytes)}
        return contender.run_words(contender.variant("large", change))
    return series(bench, (0, 100, 2000), lambda _: None, words_of)


def own_mounts(bench):
    """tmpfs mounts in one container."""
    def words_of(contender, count):
        def change(config):
            config["mounts"] += [{"destination": f"/mnt/{i}", "type": "tmpfs", "source": "tmpfs",
                                  "options": ["nosuid", "size=4k"]} for i in range(count)]
        return contender.run_words(contender.variant("mounts", change))
    return series(bench, (0, 100, 500), lambda _: None, words_of)


def growth(bench):
    return {"host mounts": host_mounts(bench), "containers in the state directory": state_directory(bench),
            "kB of config.json": config_size(bench), "mounts in the container": own_mounts(bench)}


SECTIONS = {"growth": growth}
