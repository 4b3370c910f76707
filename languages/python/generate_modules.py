#!/usr/bin/env python3
"""Writes languages/python/module_table.h from the interpreters given on the command line.

Usage: generate_modules.py python3.11 [python3.13 ...] > module_table.h

Two tables come out of it. The first says which capability every module of the standard library
gives (decided below, once, by name; modules that only compute have none). The second is computed by
importing them, and by reading the sources of what cannot be imported here and of submodules: under
which attributes each module shows another one that is worth hiding (random._os is os). Run it again when a new interpreter is to be supported; the tables are the
union over all interpreters given.
"""
import json
import subprocess
import sys

# The capability that importing a module gives. Submodules follow their parent unless listed.
CAPABILITIES = {
    "kProcessSpawn": "subprocess _posixsubprocess pty multiprocessing webbrowser antigravity venv "
    "ensurepip idlelib turtledemo pipes concurrent.futures.process test pydoc commands "
    "asyncio.subprocess asyncio.base_subprocess asyncio.unix_events popen2 pip _aix_support "
    "_osx_support mailcap",
    "kNetworkConnect": "socket _socket ssl _ssl http.client urllib.request ftplib poplib imaplib "
    "smtplib nntplib telnetlib xmlrpc.client asyncore asynchat nis urllib2 httplib "
    "asyncio.sslproto asyncio.streams asyncio.selector_events urllib.robotparser",
    "kNetworkListen": "socketserver http.server smtpd xmlrpc.server wsgiref.simple_server",
    "kDynamicCode": "importlib _imp imp runpy code codeop pkgutil zipimport modulefinder "
    "py_compile compileall rlcompleter _frozen_importlib _frozen_importlib_external "
    "logging.config marshal pdb bdb trace _bootsubprocess __main__ "
    "cgitb lib2to3 _interpreters _xxsubinterpreters _xxinterpchannels interpreters "
    "_interpchannels _interpqueues concurrent.interpreters concurrent.futures.interpreter "
    "annotationlib _pyrepl xml.dom.domreg",
    "kIntrospection": "builtins tracemalloc faulthandler _testcapi _testinternalcapi "
    "_testbuffer _testimportmultiple _testmultiphase _lsprof _tracemalloc sys.monitoring "
    "_symtable _testclinic _testclinic_limited _testlimitedcapi _testsinglephase "
    "_testexternalinspection _remote_debugging _xxtestfuzz _testconsole",
    "kNativeCode": "ctypes _ctypes _ctypes_test mmap cffi distutils msilib winreg _winapi",
    "kDeserialise": "shelve",
    "kSystemAdmin": "resource syslog posix nt pwd grp fcntl ossaudiodev _posixshmem",
    "kSecrets": "spwd netrc _crypt crypt",
    "kSignals": "_signal",
    "kInteractive": "tkinter _tkinter turtle curses _curses _curses_panel readline getpass "
    "termios tty",
    "kThreads": "threading _thread concurrent.futures _threading_local multiprocessing.dummy",
    "kPersistence": "site sitecustomize usercustomize",
}
# Importable by every profile, but more than computing: their members are judged one by one
# (members.cc), and the module itself may not be handed around.
MIXED = (
    "os sys io _io gc inspect shutil tempfile pathlib asyncio pickle _pickle codecs linecache glob sqlite3 "
    "logging.handlers mailbox fileinput zipfile tarfile types operator _operator dbm _pyio signal"
)
# Submodules under their parent's name are what the parent is for.
PUBLIC = {("os", "path")}

PROBE = r"""
import ast, importlib, json, os, sys, types, warnings
warnings.simplefilter("ignore")
SKIP = {"antigravity", "this", "idlelib", "test", "tests", "turtledemo", "lib2to3", "site-packages",
        "__phello__", "__pycache__", "ensurepip", "config", "encodings", "distutils",
        "msilib", "_pyrepl"}
leaks = {}

def loaded(name):
    try:
        module = importlib.import_module(name)
    except BaseException:
        return
    for attribute in dir(module):
        try:
            value = getattr(module, attribute)
        except BaseException:
            continue
        if isinstance(value, types.ModuleType) and value.__name__ != name:
            if value.__name__ != name + "." + attribute:
                leaks.setdefault(name, {})[attribute] = value.__name__

# Modules that cannot be imported here, and submodules: what their source binds at the top.
def bindings(body, package):
    for node in body:
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.asname or name.name.split(".")[0], (
                    name.name if name.asname else name.name.split(".")[0])
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = ".".join(parts[:len(parts) - node.level + 1]) if node.level else ""
            source = ".".join(filter(None, (base, node.module)))
            for name in node.names:
                yield name.asname or name.name, source + "." + name.name
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            yield from bindings(node.body, package)
            yield from bindings(getattr(node, "orelse", []), package)
            for handler in getattr(node, "handlers", []):
                yield from bindings(handler.body, package)
            yield from bindings(getattr(node, "finalbody", []), package)

library = os.path.dirname(os.__file__)
known = set()
sources = {}
for folder, folders, files in os.walk(library):
    folders[:] = [f for f in folders if f not in SKIP and not f.startswith("config-")]
    for file in files:
        if file.endswith(".py"):
            path = os.path.join(folder, file)
            name = os.path.relpath(path, library)[:-3].replace(os.sep, ".")
            package = name.rpartition(".")[0]
            if name.endswith(".__init__"):
                name = package = name[:-9]
            known.add(name)
            sources[name] = (path, package)
for name, (path, package) in sources.items():
    try:
        tree = ast.parse(open(path, encoding="utf-8").read())
    except (SyntaxError, UnicodeDecodeError):
        continue
    for attribute, target in bindings(tree.body, package):
        if target != name + "." + attribute:
            leaks.setdefault(name, {}).setdefault(attribute, target)
standard = set(getattr(sys, "stdlib_module_names", ())) | set(sys.builtin_module_names)
standard |= {n for n in known if "." not in n}
for name in sorted(standard | {"os.path", "collections.abc"}):
    if name.split(".")[0] not in SKIP:
        loaded(name)
print(json.dumps({"version": "%d.%d" % sys.version_info[:2],
                  "names": sorted(n for n in standard if n not in SKIP or n in (
                      "antigravity", "this", "idlelib", "test", "turtledemo", "lib2to3",
                      "ensurepip")), "known": sorted(known), "leaks": leaks}))
"""

ALIASES = {"posixpath": "os.path", "ntpath": "os.path"}


def capability_table():
    table = {}
    for capability, names in CAPABILITIES.items():
        for name in names.split():
            table[name] = capability
    return table


# Packages that are harmless by themselves and hold modules that are not.
PARENTS = {"http", "urllib", "xmlrpc", "concurrent"}


def worth_hiding(target, capabilities, mixed):
    if target in PARENTS:
        return True
    while target:
        if target in mixed:
            return True
        if target in capabilities:
            return capabilities[target] not in ("kThreads", "kInteractive")
        target = target.rpartition(".")[0]
    return False


def leading_somewhere(leaks, every, capabilities, mixed):
    """The modules that are worth hiding, and those that show one of them or hold one below them."""
    leading = {module for module in every if worth_hiding(module, capabilities, mixed)}
    while True:
        more = {module for module, attributes in leaks.items()
                if leading.intersection(attributes.values())}
        more |= {module.rpartition(".")[0] for module in leading if "." in module}
        if more <= leading:
            return leading
        leading |= more


def packed(entries):
    line = "   "
    for entry in entries:
        if len(line) + len(entry) > 118:
            yield line
            line = "   "
        line += " " + entry
    yield line


def main() -> None:
    probes = []
    for interpreter in sys.argv[1:] or [sys.executable]:
        done = subprocess.run([interpreter, "-I", "-c", PROBE], capture_output=True, text=True,
                              check=True, stdin=subprocess.DEVNULL)
        probes.append(json.loads(done.stdout.strip().splitlines()[-1]))
    capabilities = capability_table()
    mixed = set(MIXED.split())
    known = set(capabilities) | mixed | {"os.path"}
    leaks = {}
    every = known.union(*(probe["names"] + probe["known"] for probe in probes))
    for probe in probes:
        known |= set(probe["names"])
        for module, attributes in probe["leaks"].items():
            for attribute, target in attributes.items():
                target = ALIASES.get(target, target)
                if target not in every or "." in attribute:
                    continue
                if (module, attribute) not in PUBLIC:
                    leaks.setdefault(module, {})[attribute] = target
    leading = leading_somewhere(leaks, every, capabilities, mixed)
    leaks = {module: {attribute for attribute, target in attributes.items() if target in leading}
             for module, attributes in leaks.items()}
    leaks = {module: attributes for module, attributes in leaks.items() if attributes}
    versions = ", ".join(probe["version"] for probe in probes)
    print(f"// Generated by generate_modules.py from Python {versions}. Do not edit.")
    print("#pragma once\n\n#include <array>\n\n#include \"languages/python/modules.h\"\n")
    print("namespace langsbx::languages::python {\n\n// clang-format off")
    print("inline constexpr auto kModules = std::to_array<ModuleInfo>({")
    rows = []
    for name in sorted(known):
        row = f'{{"{name}"'
        if name in mixed:
            row += ", Capability::kNone, true"
        elif name in capabilities:
            row += f", Capability::{capabilities[name]}"
        rows.append(row + "},")
    print("\n".join(packed(rows)))
    print("});\n")
    print("// Module, and the attributes under which it shows modules that are worth hiding.")
    print("inline constexpr auto kLeaks = std::to_array<LeakInfo>({")
    rows = []
    for module in sorted(leaks):
        pairs = " ".join(sorted(leaks[module]))
        rows.append(f'{{"{module}", " {pairs} "}},')
    print("\n".join(packed(rows)))
    print("});\n")
    print("// Package, and its submodules.")
    print("inline constexpr auto kSubmodules = std::to_array<LeakInfo>({")
    children = {}
    for name in every:
        package, dot, child = name.rpartition(".")
        if dot and package.split(".")[0] in known and child != "__main__":
            children.setdefault(package, set()).add(child)
    rows = []
    for package in sorted(children):
        rows.append(f'{{"{package}", " {" ".join(sorted(children[package]))} "}},')
    print("\n".join(packed(rows)))
    print("});\n// clang-format on\n\n}  // namespace langsbx::languages::python")


if __name__ == "__main__":
    main()
