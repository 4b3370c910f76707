#!/usr/bin/env python3
"""Writes languages/python/module_table.h from the interpreters given on the command line.

Usage: generate_modules.py python3.11 [python3.13 ...] > module_table.h

Two tables come out of it. The first says which capability every module of the standard library
gives (decided below, once, by name; modules that only compute have none). The second is computed
by importing them all: under which attributes each module shows another one that is worth hiding
(random._os is os). Run it again when a new interpreter is to be supported; the tables are the
union over all interpreters given.
"""
import json
import subprocess
import sys

# The capability that importing a module gives. Submodules follow their parent unless listed.
CAPABILITIES = {
    "kProcessSpawn": "subprocess _posixsubprocess pty multiprocessing webbrowser antigravity venv "
    "ensurepip idlelib turtledemo pipes concurrent.futures.process test pydoc commands "
    "asyncio.subprocess asyncio.base_subprocess asyncio.unix_events popen2 pip",
    "kNetworkConnect": "socket _socket ssl _ssl http.client urllib.request ftplib poplib imaplib "
    "smtplib nntplib telnetlib xmlrpc.client asyncore asynchat nis urllib2 httplib "
    "asyncio.sslproto asyncio.streams asyncio.selector_events",
    "kNetworkListen": "socketserver http.server smtpd xmlrpc.server wsgiref.simple_server",
    "kDynamicCode": "importlib _imp imp runpy code codeop pkgutil zipimport modulefinder "
    "py_compile compileall rlcompleter _frozen_importlib _frozen_importlib_external "
    "logging.config marshal pdb bdb trace _bootsubprocess __main__ "
    "cgitb lib2to3 _interpreters _xxsubinterpreters _xxinterpchannels interpreters",
    "kIntrospection": "builtins inspect gc tracemalloc faulthandler _testcapi _testinternalcapi "
    "_testbuffer _testimportmultiple _testmultiphase _lsprof _tracemalloc sys.monitoring "
    "_symtable",
    "kNativeCode": "ctypes _ctypes _ctypes_test mmap cffi distutils msilib winreg _winapi",
    "kDeserialise": "shelve",
    "kSystemAdmin": "resource syslog posix nt pwd grp fcntl ossaudiodev _posixshmem",
    "kSecrets": "spwd netrc _crypt crypt",
    "kSignals": "signal _signal",
    "kInteractive": "tkinter _tkinter turtle curses _curses _curses_panel readline getpass "
    "termios tty",
    "kThreads": "threading _thread concurrent.futures _threading_local multiprocessing.dummy",
    "kPersistence": "site sitecustomize usercustomize",
}
# Importable by every profile, but more than computing: their members are judged one by one
# (members.cc), and the module itself may not be handed around.
MIXED = (
    "os sys io _io shutil tempfile pathlib asyncio pickle _pickle codecs linecache glob sqlite3 "
    "logging.handlers mailbox fileinput zipfile tarfile types operator _operator dbm"
)
# Submodules under their parent's name are what the parent is for.
PUBLIC = {("os", "path")}

PROBE = r"""
import importlib, json, sys, types, warnings
warnings.simplefilter("ignore")
skip = {"antigravity", "this", "idlelib", "test", "__phello__", "turtledemo", "lib2to3"}
names = sorted(n for n in sys.stdlib_module_names if n.split(".")[0] not in skip)
extra = ["os.path", "collections.abc", "concurrent.futures", "concurrent.futures.thread",
         "email.mime.text", "email.message", "html.parser", "http.cookies", "json.decoder",
         "json.encoder", "logging.handlers", "unittest.mock", "unittest.case", "urllib.parse",
         "xml.etree.ElementTree", "xml.dom.minidom", "xml.sax", "importlib.metadata",
         "importlib.resources", "asyncio.events", "asyncio.base_events", "asyncio.tasks",
         "asyncio.queues", "asyncio.locks", "multiprocessing.pool", "wsgiref.util"]
leaks = {}
for name in names + extra:
    try:
        module = importlib.import_module(name)
    except BaseException:
        continue
    for attribute in dir(module):
        try:
            value = getattr(module, attribute)
        except BaseException:
            continue
        if isinstance(value, types.ModuleType) and value.__name__ != name:
            if value.__name__ == name + "." + attribute:
                continue
            leaks.setdefault(name, {})[attribute] = value.__name__
print(json.dumps({"version": "%d.%d" % sys.version_info[:2],
                  "names": sorted(sys.stdlib_module_names), "leaks": leaks}))
"""

ALIASES = {"posixpath": "os.path", "ntpath": "os.path"}


def capability_table():
    table = {}
    for capability, names in CAPABILITIES.items():
        for name in names.split():
            table[name] = capability
    return table


def worth_hiding(target, capabilities, mixed):
    while target:
        if target in mixed:
            return True
        if target in capabilities:
            return capabilities[target] not in ("kThreads", "kInteractive")
        target = target.rpartition(".")[0]
    return False


def packed(entries):
    line = "   "
    for entry in entries:
        if len(line) + len(entry) > 98:
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
    for probe in probes:
        known |= set(probe["names"])
        for module, attributes in probe["leaks"].items():
            for attribute, target in attributes.items():
                target = ALIASES.get(target, target)
                if (module, attribute) in PUBLIC or not worth_hiding(target, capabilities, mixed):
                    continue
                leaks.setdefault(module, {})[attribute] = target
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
    print("});\n// clang-format on\n\n}  // namespace langsbx::languages::python")


if __name__ == "__main__":
    main()
