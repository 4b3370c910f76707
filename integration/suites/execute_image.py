"""langsbx execute --image: OCI layouts and archives, made here of the host's bash; hostile ones, too."""
import ctypes
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
import threading

from harness.case import contains, each, equal, expect, needs, only, slow

MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


class Layer:
    """A tar in memory."""

    def __init__(self):
        self.bytes = io.BytesIO()
        self.tar = tarfile.open(fileobj=self.bytes, mode="w", format=tarfile.PAX_FORMAT)

    def file(self, name, data=b"", mode=0o644):
        info = tarfile.TarInfo(name)
        info.size, info.mode = len(data), mode
        self.tar.addfile(info, io.BytesIO(data))
        return self

    def link(self, name, target, kind=tarfile.SYMTYPE):
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, target
        self.tar.addfile(info)
        return self

    def done(self):
        self.tar.close()
        return self.bytes.getvalue()


def bash_layer():
    layer = Layer()
    needed = subprocess.run(["ldd", "/usr/bin/bash"], check=True, capture_output=True, text=True).stdout
    for path in ["/usr/bin/bash", *[word for word in needed.split() if word.startswith("/")]]:
        with open(path, "rb") as handle:
            layer.file((path if path.startswith("/usr/") else "/usr" + path).lstrip("/"), handle.read(), 0o755)
    for name in ("bin", "lib", "lib64"):
        layer.link(name, f"usr/{name}")
    layer.file("usr/share/old/gone", b"1").file("usr/share/kept", b"2")
    return layer.link("usr/share/hard", "usr/share/kept", tarfile.LNKTYPE)


def layout(folder, layers, damage=None):
    """An OCI layout of these layers, each compressed."""
    blobs = f"{folder}/blobs/sha256"
    os.makedirs(blobs)

    def put(data):
        name = digest(data)
        with open(f"{blobs}/{name[7:]}", "wb") as handle:
            handle.write(data + b"x" if damage == "blob" else data)
        return {"digest": name, "size": len(data)}

    config = put(json.dumps({"rootfs": {"type": "layers", "diff_ids": [
        digest(b"other" if damage == "diff_id" else layer) for layer in layers]}}).encode())
    packed = [{**put(gzip.compress(layer)), "mediaType": "application/vnd.oci.image.layer.v1.tar+gzip"} for layer in layers]
    manifest = put(json.dumps({"schemaVersion": 2, "config": config, "layers": packed}).encode())
    index = {"schemaVersion": 2, "manifests": [
        {"digest": digest(b"none"), "size": 1, "platform": {"os": "linux", "architecture": "other"}},
        {**manifest, "platform": {"os": "linux", "architecture": MACHINES[os.uname().machine]},
         "annotations": {"org.opencontainers.image.ref.name": "latest"}}]}
    for name, text in (("index.json", json.dumps(index)), ("oci-layout", '{"imageLayoutVersion": "1.0.0"}')):
        with open(f"{folder}/{name}", "w", encoding="utf-8") as handle:
            handle.write(text)
    return folder


def execute(it, image, code="echo from here; echo /usr/share/*\n"):
    path = f"{it.folder}/main.sh"
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(code)
    return it.rt("execute", "--image", image, path, env={"TMPDIR": it.folder, "PATH": "/usr/bin:/bin"})


def second():
    return Layer().file("usr/share/.wh.old").file("usr/share/new/file", b"3").file("usr/share/.wh.hard").done()


@only("langsbx")
@slow(60)
def test_a_root_that_changes_shows_nothing_of_the_host(it):
    """Somebody else writes in what --rootfs names, and makes a folder a link while it is looked at."""
    root, secret = f"{it.folder}/root", f"{it.folder}/secret"
    for folder in (root, secret, f"{root}/opt"):
        os.mkdir(folder)
    with tarfile.open(fileobj=io.BytesIO(bash_layer().done())) as layer:
        layer.extractall(root)
    with open(f"{secret}/key", "w", encoding="ascii") as handle:
        handle.write("key")
    os.symlink(secret, f"{root}/link")
    source = it.folder + "/list.sh"
    with open(source, "w", encoding="ascii") as handle:
        handle.write("echo /opt/*\n")
    libc = ctypes.CDLL(None)
    stop = threading.Event()

    def swap():
        while not stop.is_set():
            libc.renameat2(-100, f"{root}/opt".encode(), -100, f"{root}/link".encode(), 2)

    swapping = threading.Thread(target=swap)
    swapping.start()
    shown = 0
    try:
        for _ in range(100):
            result = it.rt("execute", "--rootfs", root, source, timeout=60)
            expect("key" not in result.out, result.out)
            shown += result.code == 0
    finally:
        stop.set()
        swapping.join()
    expect(shown > 0, result.text)


@only("langsbx")
@needs("root", "path:/usr/bin/gzip")
@each(layout="", named=":latest")
def test_layout(it, name):
    image = layout(f"{it.folder}/image", [bash_layer().done(), second()])
    for _ in range(2):
        equal(execute(it, image + name).ok().out, "from here\n/usr/share/kept /usr/share/new\n")
    execute(it, image + ":other").fails("no manifest is called")


@only("langsbx")
@needs("root", "path:/usr/bin/gzip")
def test_archive_of_layout(it):
    image = layout(f"{it.folder}/image", [bash_layer().done()])
    with tarfile.open(f"{it.folder}/image.tar", "w") as tar:
        tar.add(image, ".")
    contains(execute(it, f"{it.folder}/image.tar").ok().out, "from here")


@only("langsbx")
@needs("root")
def test_docker_archive(it):
    layer = bash_layer().done()
    config = json.dumps({"rootfs": {"diff_ids": [digest(layer)]}}).encode()
    name = hashlib.sha256(config).hexdigest() + ".json"
    archive = Layer().file("one/layer.tar", layer).file(name, config)
    archive.file("manifest.json", json.dumps([{"Config": name, "Layers": ["one/layer.tar"]}]).encode())
    with open(f"{it.folder}/image.tar", "wb") as handle:
        handle.write(archive.done())
    contains(execute(it, f"{it.folder}/image.tar").ok().out, "from here")


@only("langsbx")
@needs("root", "path:/usr/bin/gzip")
@each(blob="its content is not", diff_id="content is not")
def test_damaged(it, text):
    damage = "blob" if text.startswith("its") else "diff_id"
    execute(it, layout(f"{it.folder}/image", [bash_layer().done()], damage)).fails(text)


@only("langsbx")
@needs("root", "path:/usr/bin/gzip")
def test_names_do_not_leave_the_root(it):
    outside = f"{it.folder}/outside"
    os.mkdir(outside)
    hostile = [
        [bash_layer().file("../../outside/a", b"x").done()],
        [bash_layer().link("usr/way", outside).done(), Layer().file("usr/way/b", b"x").done()],
        [bash_layer().link("usr/way", "../" * 20 + outside[1:]).done(), Layer().file("usr/way/c", b"x").done()],
        [bash_layer().link("usr/hard", "../" * 20 + "etc/passwd", tarfile.LNKTYPE).done()],
        [bash_layer().link("usr/way", outside).done(), Layer().file("usr/way/.wh..wh..opq").done()],
    ]
    with open(f"{outside}/mine", "w", encoding="utf-8") as handle:
        handle.write("mine")
    for number, layers in enumerate(hostile):
        execute(it, layout(f"{it.folder}/image{number}", layers))
        equal(os.listdir(outside), ["mine"], f"layers {number}")
    shutil.rmtree(f"{it.folder}/langsbx-execute-0", ignore_errors=True)


def with_path(layer, path):
    """A file whose name is given by a pax header, as it is."""
    info = tarfile.TarInfo("x")
    info.size = 1
    record = f" path={path}\n".encode()
    length = next(n for n in range(len(record), len(record) + 9) if len(str(n)) + len(record) == n)
    extension = tarfile.TarInfo("PaxHeaders/x")
    extension.type, extension.size = tarfile.XHDTYPE, length
    layer.tar.format = tarfile.USTAR_FORMAT
    layer.tar.addfile(extension, io.BytesIO(str(length).encode() + record))
    layer.tar.addfile(info, io.BytesIO(b"x"))
    return layer.done()


@only("langsbx")
@needs("root", "path:/usr/bin/gzip")
@each(above="..\0x", nested="usr/share/../..\0x", whiteout=".wh...\0x", folder="..\0x/kept")
def test_a_nul_in_a_name(it, path):
    """The kernel's name ends where the checked one goes on: what lies beside the image stays."""
    base = f"{it.folder}/langsbx-execute-0"
    os.mkdir(base, 0o711)
    with open(f"{base}/kept", "w", encoding="ascii") as handle:
        handle.write("kept")
    result = execute(it, layout(f"{it.folder}/image", [with_path(bash_layer(), path)]))
    with open(f"{base}/kept", encoding="ascii") as handle:
        equal((handle.read(), os.listdir(base)), ("kept", ["kept"]))
    result.fails("tar: a name with")


@only("langsbx")
@needs("root")
@each(empty="", word="sha256:", other="sha512:" + "0" * 128)
def test_a_diff_id_is_a_digest(it, diff_id):
    layer = bash_layer().done()
    config = json.dumps({"rootfs": {"diff_ids": [diff_id]}}).encode()
    name = hashlib.sha256(config).hexdigest() + ".json"
    archive = Layer().file("one/layer.tar", layer).file(name, config)
    archive.file("manifest.json", json.dumps([{"Config": name, "Layers": ["one/layer.tar"]}]).encode())
    with open(f"{it.folder}/image.tar", "wb") as handle:
        handle.write(archive.done())
    execute(it, f"{it.folder}/image.tar").fails("diff_ids", "is no sha256 digest")


@only("langsbx")
@needs("root", "path:/usr/bin/gzip")
def test_the_tree_is_for_nobody_else(it):
    layer = bash_layer().file("usr/bin/setuid", b"x", 0o4755).file("usr/share/key", b"secret", 0o644)
    image = layout(f"{it.folder}/image", [layer.done()])
    execute(it, image).ok()
    base = f"{it.folder}/langsbx-execute-0"
    tree = next(f"{base}/{name}" for name in os.listdir(base) if not name.endswith(".size"))
    equal(os.stat(f"{tree}/usr/bin/setuid").st_mode & 0o7777, 0o755)
    for user in ("12345", "0"):
        made = subprocess.run(["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "cat", f"{tree}/usr/share/key"],
                              capture_output=True, check=False)
        equal(made.returncode == 0, user == "0", f"{user} {made.stderr}")


@only("langsbx")
@needs("root", "path:/usr/bin/gzip")
def test_missing_interpreter_is_named(it):
    image = layout(f"{it.folder}/image", [bash_layer().done()])
    path = f"{it.folder}/main.py"
    with open(path, "w", encoding="utf-8") as handle:
        handle.write("print(1)\n")
    made = it.rt("execute", "--image", image, path, env={"TMPDIR": it.folder})
    expect(made.code == 127 and "/usr/bin/python3 is not in" in made.text, made.text)


def python_layer():
    """A Python as in the images of docker.io: below /usr/local, found there by its own place."""
    layer = Layer()
    binary = os.path.realpath("/usr/bin/python3")
    library = os.path.dirname(os.path.realpath(subprocess.run(
        [binary, "-I", "-S", "-c", "import os; print(os.__file__)"], check=True, capture_output=True, text=True).stdout.strip()))
    needed = subprocess.run(["ldd", binary], check=True, capture_output=True, text=True).stdout
    for path in [word for word in needed.split() if word.startswith("/")]:
        with open(path, "rb") as handle:
            layer.file((path if path.startswith("/usr/") else "/usr" + path).lstrip("/"), handle.read(), 0o755)
    with open(binary, "rb") as handle:
        layer.file("usr/local/bin/python3", handle.read(), 0o755)
    for folder in ("", "encodings", "collections", "re", "importlib"):
        for name in sorted(os.listdir(f"{library}/{folder}")) if os.path.isdir(f"{library}/{folder}") else []:
            if name.endswith(".py"):
                with open(f"{library}/{folder}/{name}", "rb") as handle:
                    layer.file(f"usr/local/lib/{os.path.basename(library)}/{folder}/{name}".replace("//", "/"), handle.read())
    for name in ("bin", "lib", "lib64"):
        layer.link(name, f"usr/{name}")
    return layer.file("opt/data.txt", b"of the image").done()


@only("langsbx")
@needs("root", "path:/usr/bin/gzip", "path:/usr/bin/python3")
@slow(60)
def test_python_below_usr_local(it):
    image = layout(f"{it.folder}/image", [python_layer()])
    path = f"{it.folder}/main.py"
    with open(path, "w", encoding="utf-8") as handle:
        handle.write("import sys\nimport textwrap\nprint(sys.executable, textwrap.shorten('a  b', 9))\n")
    result = it.rt("execute", "--image", image, path, env={"TMPDIR": it.folder, "PATH": "/usr/bin:/bin"}, timeout=50)
    equal(result.ok().out, "/usr/local/bin/python3 a b\n")
    with open(path, "w", encoding="utf-8") as handle:
        handle.write("print(open('/opt/data.txt').read())\n")
    profile = f"{it.folder}/open.yaml"
    with open(profile, "w", encoding="utf-8") as handle:
        handle.write("name: open\nlanguage: python\ndescription: Everything passes.\nseccomp: python\nnetwork: none\n"
                     "stages: {guard: observe}\n")
    result = it.rt("execute", "--image", image, "--profile", profile, path, env={"TMPDIR": it.folder, "PATH": "/usr/bin:/bin"})
    equal(result.ok().out, "of the image\n")


@only("langsbx")
@needs("root", "path:/usr/bin/gzip")
def test_kept_and_made_anew(it):
    image = layout(f"{it.folder}/image", [bash_layer().done()])
    execute(it, image).ok()
    folder = f"{it.folder}/langsbx-execute-0"
    sizes = [name for name in os.listdir(folder) if name.endswith(".size")]
    equal(len(sizes), 1, os.listdir(folder))
    tree = f"{folder}/{sizes[0].removesuffix('.size')}"
    first = os.stat(tree).st_ino
    execute(it, image).ok()
    equal(os.stat(tree).st_ino, first, "the same tree again")
    os.unlink(f"{folder}/{sizes[0]}")
    execute(it, image).ok()
    expect(os.stat(tree).st_ino != first or os.path.exists(f"{folder}/{sizes[0]}"), "one without its size is made anew")
    equal(sorted(os.listdir(folder)), sorted([sizes[0], os.path.basename(tree)]), "nothing else is left")


@only("langsbx")
@needs("root")
def test_named_root(it):
    root = f"{it.folder}/root"
    os.mkdir(root)
    os.mkdir(f"{root}/usr")
    missing = f"{it.folder}/main.py"
    with open(missing, "w", encoding="ascii") as handle:
        handle.write("print('hi')\n")
    it.rt("execute", "--rootfs", root, missing).fails("/usr/bin/python3", root)
    libraries = subprocess.run(["ldd", "/usr/bin/bash"], check=True, capture_output=True, text=True).stdout
    for word in ["/usr/bin/bash", *libraries.split()]:
        if word.startswith("/"):
            target = root + (word if word.startswith("/usr/") else "/usr" + word)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(word, target)
    for link in ("bin", "lib", "lib64"):
        os.symlink(f"usr/{link}", f"{root}/{link}")
    with open(f"{root}/usr/lib/of-this-root", "w", encoding="ascii"):
        pass
    # Programs can't be listed: a shell starts what its profile names.
    script = f"{it.folder}/main.sh"
    with open(script, "w", encoding="ascii") as handle:
        handle.write("echo from here; echo /usr/lib/of* /usr/bin/*\n")
    made = it.rt("execute", "--rootfs", root, script).ok()
    equal(made.out, "from here\n/usr/lib/of-this-root /usr/bin/*\n", made.err)
