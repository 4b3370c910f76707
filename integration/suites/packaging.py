"""install and uninstall on files, man pages and completions, the Debian package in a root of its own."""
import json
import os
import re
import shutil
import subprocess
import sys

from harness.case import Skip, contains, each, equal, expect, needs, only, slow

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def root_of(it):
    root = f"{it.folder}/root"
    os.makedirs(root, exist_ok=True)
    return root


def put(it, path, text, mode=0o644):
    whole = root_of(it) + path
    os.makedirs(os.path.dirname(whole), exist_ok=True)
    with open(whole, "w", encoding="ascii") as handle:
        handle.write(text)
    os.chmod(whole, mode)
    return whole


def get(it, path):
    with open(root_of(it) + path, encoding="ascii") as handle:
        return handle.read()


def install(it, *words, verb="install"):
    return it.rt(verb, "--sysroot", root_of(it), "--path", "/usr/sbin/langsbx", *words)


def tree(root):
    return sorted(os.path.relpath(os.path.join(at, name), root) for at, _, names in os.walk(root) for name in names)


@only("langsbx")
def test_install_docker_keeps_and_restores(it):
    before = '{\n  "log-driver": "local",\n  "big": 1.50\n}\n'
    path = put(it, "/etc/docker/daemon.json", before, 0o600)
    os.chown(path, 0, 12)
    out = install(it, "--for", "docker", "--profile", "strict").ok().out
    contains(out, "then: systemctl reload docker")
    equal(json.loads(get(it, "/etc/docker/daemon.json"))["runtimes"]["langsbx"],
          {"path": "/usr/sbin/langsbx", "runtimeArgs": ["--profile", "strict"]})
    equal((os.stat(path).st_mode & 0o777, os.stat(path).st_gid), (0o600, 12), "mode and group")
    equal(get(it, "/etc/docker/daemon.json.before-langsbx"), before, "copy")
    contains(install(it, "--for", "docker", "--profile", "strict").ok().out, "unchanged")
    install(it, "--for", "docker", verb="uninstall").ok()
    equal(get(it, "/etc/docker/daemon.json"), before)
    equal(len(tree(root_of(it))), 3, "the file and two copies")


@only("langsbx")
def test_install_shows_only_with_dry_run(it):
    put(it, "/etc/containerd/config.toml", "version = 3\n")
    out = install(it, "--dry-run", *(f"--for={name}" for name in ("docker", "containerd", "crio", "podman"))).ok().out
    contains(out, '+BinaryName = "/usr/sbin/langsbx"')
    contains(out, "would write")
    equal(tree(root_of(it)), ["etc/containerd/config.toml"])


@only("langsbx")
def test_install_all_and_back(it):
    clients = [f"--for={name}" for name in ("containerd", "crio", "podman")]
    put(it, "/etc/containerd/config.toml", "version = 2\n")
    install(it, *clients, "--profile", "strict").ok()
    for name in ("containerd", "crio", "podman"):
        expect(os.access(f"{root_of(it)}/var/lib/langsbx/handlers/{name}/langsbx", os.X_OK), f"launcher of {name}")
    again = install(it, *clients, "--profile", "strict").ok().out
    expect("wrote" not in again and "then:" not in again, again)
    install(it, *clients, verb="uninstall").ok()
    equal(get(it, "/etc/containerd/config.toml"), "version = 2\n")
    equal([name for name in tree(root_of(it)) if "before-langsbx" not in name], ["etc/containerd/config.toml"])


@only("langsbx")
def test_install_follows_a_link(it):
    real = put(it, "/site/daemon.json", "{}")
    os.makedirs(f"{root_of(it)}/etc/docker")
    os.symlink("/site/daemon.json", f"{root_of(it)}/etc/docker/daemon.json")
    install(it, "--for", "docker").ok()
    expect(os.path.islink(f"{root_of(it)}/etc/docker/daemon.json"), "the link is gone")
    contains(get(it, "/site/daemon.json"), "/usr/sbin/langsbx")
    equal(os.listdir(os.path.dirname(real)).count("daemon.json"), 1)


@only("langsbx")
@each(upwards="../" * 20 + "{outside}", folder="{outside}")
def test_install_stays_below_the_sysroot(it, target):
    outside = f"{it.folder}/outside"
    os.makedirs(outside)
    root_of(it)
    os.makedirs(f"{root_of(it)}/etc")
    os.symlink(target.format(outside=outside), f"{root_of(it)}/etc/docker")
    install(it, "--for", "docker").ok()
    equal((os.listdir(outside), os.listdir(root_of(it) + outside)), ([], ["daemon.json"]))


@only("langsbx")
@each(docker=("docker", "/etc/docker/daemon.json", "{,}"), containerd=("containerd", "/etc/containerd/config.toml", "version = 2\n[\n"),
      crio=("crio", "/etc/crio/crio.conf.d/50-langsbx.conf", "[crio]\n"), podman=("podman", "/etc/containers/containers.conf", "=\n"))
def test_install_refuses(it, given):
    client, path, text = given
    put(it, path, text)
    install(it, "--for", client).fails(path)
    equal(tree(root_of(it)), [path[1:]])
    equal(get(it, path), text)


@only("langsbx")
def test_install_without_client(it):
    install(it).fails("--for")
    install(it, "--for", "lxd").fails("lxd")
    install(it, "--for", "docker", "--name", "a b").fails("--name")


def manifests(it, *words):
    """What is printed, one text a document; no YAML reader comes with Python."""
    out = install(it, "--for", "kubernetes", *words).ok().out
    return {re.search(r"^kind: (\w+)", text, re.M).group(1) + ":" + re.search(r"^  name: (\S+)", text, re.M).group(1): text
            for text in out.split("\n---\n")}


API = {"Namespace": "v1", "DaemonSet": "apps/v1", "RuntimeClass": "node.k8s.io/v1", "NetworkPolicy": "networking.k8s.io/v1", "Pod": "v1"}


@only("langsbx")
def test_manifests(it):
    """The structure that the API asks for, and the handler's name that all of it hangs on."""
    found = manifests(it, "--name", "tight", "--profile", "strict", "--image", "installer:7")
    equal(sorted(found), ["DaemonSet:tight-installer", "Namespace:tight-system", "NetworkPolicy:tight-no-network",
                          "Pod:tight-example", "Pod:tight-example-strict", "RuntimeClass:tight"])
    for name, text in found.items():
        contains(text, f"apiVersion: {API[name.split(':')[0]]}\n", name)
        expect(re.search(r"^metadata:$", text, re.M) and "\t" not in text and "@" not in text, name)
        expect(all((len(line) - len(line.lstrip(" "))) % 2 == 0 for line in text.splitlines()), f"{name}: indentation")
    contains(found["RuntimeClass:tight"], "\nhandler: tight")
    daemons = found["DaemonSet:tight-installer"]
    labels = re.findall(r"app.kubernetes.io/name: (\S+)", daemons)
    equal((len(labels), set(labels)), (3, {"tight"}), "selector and template")
    contains(daemons, 'command: ["/install-node", "--name", "tight", "--profile", "strict"]')
    equal(daemons.count("image: installer:7\n"), 2)
    contains(found["NetworkPolicy:tight-no-network"], 'policyTypes: ["Ingress", "Egress"]\n  ingress: []\n  egress: []')
    for name in ("Pod:tight-example", "Pod:tight-example-strict"):
        contains(found[name], "  runtimeClassName: tight\n")
        contains(found[name], "langsbx.io/network: none")


@only("langsbx")
@needs("path:/bin/busybox")
def test_node_installer(it):
    """The installer's image laid out as a root, a folder as the node; once, again, with another profile."""
    kubernetes = f"{SOURCE}/integration/kubernetes"
    context = f"{it.folder}/context"
    subprocess.run([f"{kubernetes}/build-context", it.rt.path, context], check=True, stdin=subprocess.DEVNULL)
    put(it, "/etc/containerd/config.toml", "version = 2\n")
    os.makedirs(f"{context}/root/host")

    def run(*words):
        made = subprocess.run(["unshare", "--mount", "sh", "-c", f'mount --bind {root_of(it)} {context}/root/host && exec chroot {context}/root '
                               '/bin/sh /install-node "$@"', "x", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env={"PATH": "/bin:/sbin:/usr/bin:/usr/sbin", "RESTART": "echo restarted"})
        expect(made.returncode == 0, made.stderr)
        return made.stdout

    contains(run("--name", "tight"), "restarted")
    contains(get(it, "/etc/containerd/config.toml"), 'BinaryName = "/opt/langsbx/bin/langsbx"')
    expect(os.access(f"{root_of(it)}/opt/langsbx/bin/langsbx", os.X_OK), "program")
    contains(run("--name", "tight"), "containerd knows it already")
    contains(run("--name", "tight", "--profile", "strict"), "restarted")
    contains(get(it, "/var/lib/langsbx/handlers/containerd/tight"), "/opt/langsbx/bin/langsbx --profile strict")


def documents(it):
    folder = f"{it.folder}/documents"
    subprocess.run([sys.executable, "-B", f"{SOURCE}/cmd/documents/generate.py", it.rt.path, folder], check=True,
                   stdin=subprocess.DEVNULL)
    return folder


def commands(it):
    text = it.rt("--help").ok().out.partition("COMMANDS:\n")[2].partition("\n\n")[0]
    return [line.split()[0] for line in text.splitlines()]


@only("langsbx")
def test_man_pages(it):
    folder = documents(it)
    equal(sorted(os.listdir(f"{folder}/man/man8")), sorted(["langsbx.8", *(f"langsbx-{name}.8" for name in commands(it))]))
    with open(f"{folder}/man/man8/langsbx-run.8", encoding="utf-8") as handle:
        page = handle.read()
    for name in re.findall(r"^   --([a-z-]+)", it.rt("run", "--help").ok().out, re.M):
        contains(page, name.replace("-", "\\-"), "langsbx-run.8")


@only("langsbx")
@needs("program:groff")
def test_man_pages_are_sound(it):
    folder = f"{documents(it)}/man/man8"
    for name in sorted(os.listdir(folder)):
        made = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbu", f"{folder}/{name}"], capture_output=True, text=True, check=True,
                              stdin=subprocess.DEVNULL)
        equal(made.stderr, "", name)
        contains(made.stdout, "SYNOPSIS", name)


@only("langsbx")
@needs("program:lexgrog")
def test_man_pages_are_found_by_apropos(it):
    folder = f"{documents(it)}/man/man8"
    for name in sorted(os.listdir(folder)):
        made = subprocess.run(["lexgrog", "-m", f"{folder}/{name}"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        contains(made.stdout, f'"{name[:-2]} - ', f"{name}: {made.stderr}")


@only("langsbx")
@each(command=("langsbx ex", {"exec", "execute"}), option=("langsbx run --det", {"--detach"}),
      value=("langsbx --log-format j", {"json"}), inner=("langsbx --root /x install --for cr", {"crio"}))
def test_bash_completion(it, given):
    line, wanted = given
    script = f"""source {documents(it)}/bash-completion/completions/langsbx
        COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _langsbx; printf '%s\\n' "${{COMPREPLY[@]}}" """
    out = subprocess.run(["bash", "-c", script], check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    equal((set(out.stdout.split()), out.stderr), (wanted, ""))


# A line, and what is there after the tabulator key.
LINES = {"command": ("langsbx checkp", "checkpoint"), "option": ("langsbx run --deta", "run --detach"),
         "value": ("langsbx install --for cr", "install --for crio"), "before": ("langsbx --log-format js", "--log-format json")}
# A terminal of its own, where the program tells with what it was called.
ZSH = r"""
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; langsbx() { print -r -- 'CAL''LED:'\$*: }"
zpty -n -w z "$2"$'\t\n'
zpty -r -m z text '*CALLED:*:*'
print -r -- ${${text##*CALLED:}%%:*}
zpty -d z
"""


@only("langsbx")
@needs("program:zsh")
@each(**LINES)
def test_zsh_completion(it, given):
    made = subprocess.run(["zsh", "-f", "-c", ZSH, "x", f"{documents(it)}/zsh/vendor-completions", given[0]], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=20 * it.settings.slow, check=True)
    equal(made.stdout.strip(), given[1])


@only("langsbx")
@needs("program:fish")
@each(**LINES)
def test_fish_completion(it, given):
    script = f"source {documents(it)}/fish/vendor_completions.d/langsbx.fish; complete -C '{given[0]}'"
    made = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=True,
                          env=dict(os.environ, HOME=it.folder, PATH=f"{os.path.dirname(it.rt.path)}:{os.environ['PATH']}"))
    equal((made.stdout.split("\t")[0].strip(), made.stderr), (given[1].split()[-1], ""))


def build_folder(it):
    """Where the runtime was built; a copy of it elsewhere can't be packaged."""
    folder = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(it.settings.built))))
    for name in ("CPackConfig.cmake", "documents/made"):
        if not os.path.exists(f"{folder}/{name}"):
            raise Skip(f"needs {name} in the runtime's build folder")
    return folder


def make_package(it):
    if shutil.which("dpkg-deb") is None or shutil.which("cpack") is None:
        raise Skip("needs program:dpkg-deb and program:cpack")
    out = f"{it.folder}/out"
    made = subprocess.run(["cpack", "-G", "DEB", "-B", out, "--config", f"{build_folder(it)}/CPackConfig.cmake"], text=True,
                          capture_output=True, stdin=subprocess.DEVNULL, cwd=it.folder)
    expect(made.returncode == 0, f"cpack: {made.stdout[-300:]} {made.stderr[-500:]}")
    return next(f"{out}/{name}" for name in os.listdir(out) if name.endswith(".deb"))


def dpkg(root, *words):
    made = subprocess.run(["dpkg", f"--root={root}", "--log=/dev/null", "--force-depends", *words], capture_output=True,
                          text=True, stdin=subprocess.DEVNULL, env=dict(os.environ, PATH="/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL="C"))
    expect(made.returncode == 0, f"dpkg {' '.join(words)}: {made.stderr[-500:]}")
    return made.stdout


@only("langsbx")
@slow(120)
def test_package_installs_and_goes(it):
    package = make_package(it)
    root = root_of(it)
    for name in ("info", "updates", "triggers", "parts"):
        os.makedirs(f"{root}/var/lib/dpkg/{name}")
    os.makedirs(f"{root}/var/log")
    for name in ("status", "available"):
        put(it, f"/var/lib/dpkg/{name}", "")
    dpkg(root, "-i", package)
    contains(dpkg(root, "-s", "langsbx"), "Status: install ok installed")
    files = tree(root)
    for wanted in ("usr/sbin/langsbx", "usr/share/man/man8/langsbx.8", "usr/share/man/man8/langsbx-run.8",
                   "usr/share/bash-completion/completions/langsbx", "usr/share/zsh/vendor-completions/_langsbx",
                   "usr/share/fish/vendor_completions.d/langsbx.fish", "usr/share/langsbx/profiles/python/strict.yaml",
                   "usr/share/langsbx/seccomp-profiles/default.json", "usr/share/doc/langsbx/LICENSE"):
        expect(wanted in files, f"no {wanted} in {files}")
    expect(not any(name.startswith("etc/") for name in files), "it registers nothing by itself")
    contains(subprocess.run([f"{root}/usr/sbin/langsbx", "--version"], check=True, capture_output=True, text=True).stdout, "langsbx version")
    dpkg(root, "-r", "langsbx")
    expect(not [name for name in tree(root) if name.startswith("usr/")], "files stay after the removal")


@only("langsbx")
def test_the_binary_is_hardened(it):
    """Static and position-independent, nothing writable that need not be, checked strings and stacks, branch targets marked."""
    def readelf(*words):
        return subprocess.run(["readelf", "-W", *words, it.rt.path], capture_output=True, text=True, check=True).stdout

    header, program, dynamic = readelf("-h"), readelf("-l"), readelf("-d")
    contains(header, "DYN (")
    expect("INTERP" not in program and "(NEEDED)" not in dynamic, "it is not static")
    contains(program, "GNU_RELRO")
    contains(dynamic, "BIND_NOW")
    expect("(TEXTREL)" not in dynamic, "text relocations")
    stack = next(line for line in program.splitlines() if "GNU_STACK" in line)
    expect(" RW " in stack, f"the stack: {stack}")
    expect(not any(" RWE " in line for line in program.splitlines()), "a segment that can be written and executed")
    with open(it.rt.path, "rb") as handle:
        binary = handle.read()
    contains(binary, b"stack smashing detected")
    contains(binary, b"buffer overflow detected")
    expect(binary.count(b"\xf3\x0f\x1e\xfa") > 5000, "no endbr64 at the heads of functions")


@only("langsbx")
@needs("root", "machine:x86_64")
@slow(120)
def test_the_order_of_functions(it):
    """What `make release` hands to the linker: functions of the program, in the order in which the commands call them."""
    program, out = f"{it.rt.path}.symbols", f"{it.folder}/order"
    if not os.path.exists(program):
        raise Skip("the program with its symbols is not beside it")
    done = subprocess.run([f"{SOURCE}/integration/bench/order", "--program", program, "--out", out], capture_output=True, text=True, check=False)
    equal(done.returncode, 0, done.stdout + done.stderr)
    with open(out, encoding="ascii") as handle:
        names = handle.read().split()
    expect(len(names) > 500 and len(set(names)) == len(names), f"{len(names)} functions, {len(set(names))} of them different")
    expect("_start" in names[:8], f"begins with {names[:8]}")  # some names share its address
    contains(" ".join(names), "init_main")
