#!/usr/bin/env python3
"""Finds the functions of CPython's library that hand their arguments to getattr, exec, import, open.

Usage: generate_wrappers.py LIBRARY... > wrapper_table.h   (/usr/lib/python3.11 and its like)

It reads sources only, so one interpreter reads the libraries of all. A function wraps another where a
parameter, or a name or a member of self that is given one, becomes an argument of it; wrapping is
handed on through the functions of all modules. What is judged by hand in member_table.h stays there.
"""
import ast
import collections
import os
import re
import sys

from generate_modules import CAPABILITIES, MIXED

SKIP = {"idlelib", "test", "tests", "turtledemo", "lib2to3", "site-packages", "__pycache__", "ensurepip",
        "encodings", "distutils", "msilib", "_pyrepl", "pydoc_data", "__phello__", "venv", "dist-packages"}
CLOSED = {name for key, names in CAPABILITIES.items() for name in names.split()
          if key not in ("kThreads", "kInteractive")}
# What ends a search: the function, what it is, and which argument counts (None: any).
SINKS = {"exec": ("kDynamicCode", 0), "eval": ("kDynamicCode", 0), "execfile": ("kDynamicCode", 0),
         "__import__": ("kDynamicCode", 0), "import_module": ("kDynamicCode", 0),
         "exec_module": ("kDynamicCode", None), "run_path": ("kDynamicCode", 0),
         "getattr": ("kIntrospection", 1), "setattr": ("kIntrospection", 1), "delattr": ("kIntrospection", 1),
         "urlopen": ("kNetworkConnect", 0), "create_connection": ("kNetworkConnect", 0),
         "Popen": ("kProcessSpawn", 0), "check_output": ("kProcessSpawn", 0),
         "open": ("kFilesRead", 0), "open_code": ("kFilesRead", 0)}
DOTTED = {"os.system": "kProcessSpawn", "os.popen": "kProcessSpawn", "os.unlink": "kFilesDelete",
          "os.remove": "kFilesDelete", "os.rmdir": "kFilesDelete", "os.rename": "kFilesWrite",
          "os.replace": "kFilesWrite", "os.mkdir": "kFilesWrite", "os.listdir": "kFilesRead",
          "os.scandir": "kFilesRead", "subprocess.run": "kProcessSpawn"}
ORDER = ["kDynamicCode", "kIntrospection", "kEnvironment", "kProcessSpawn", "kNetworkConnect", "kFilesDelete", "kFilesWrite",
         "kFilesRead"]
# Read and found to do nothing that a program of the guard's could not do without them.
HARMLESS = set(open(os.path.join(os.path.dirname(__file__), "harmless_wrappers.txt")).read().split())


def dotted(node):
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(reversed(parts + [node.id])) if isinstance(node, ast.Name) else ""


class Function:
    def __init__(self, module, owner, node):
        self.module, self.owner, self.node = module, owner, node
        arguments = node.args
        every = arguments.posonlyargs + arguments.args + arguments.kwonlyargs
        names = [a.arg for a in every] + [a.arg for a in (arguments.vararg, arguments.kwarg) if a]
        self.itself = names[0] if owner and names else None
        self.given = set(names) - {self.itself}
        self.calls = [n for n in ast.walk(node) if isinstance(n, ast.Call)]
        self.stored = set()
        self.wraps = {"kEnvironment"} if self.lists_environment() else set()
        self.spread()

    def tainted(self, node, members=frozenset()):
        # "do_" + name says how the name begins.
        if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant):
            return False
        if isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
            return False
        for child in ast.walk(node):
            if isinstance(child, ast.Name) and child.id in self.given:
                return True
            if isinstance(child, ast.Attribute) and isinstance(child.value, ast.Name) and \
                    child.value.id == self.itself and child.attr in members:
                return True
        return False

    def lists_environment(self):
        """Whether all of the environment is looked at: not only a variable by its name."""
        named = set()
        for node in ast.walk(self.node):
            if isinstance(node, ast.Subscript) or isinstance(node, ast.Attribute) and node.attr in (
                    "get", "pop", "setdefault", "copy"):
                named.add(node.value)
            elif isinstance(node, ast.Compare):
                named.update(node.comparators)
        return any(dotted(node) == "os.environ" and node not in named for node in ast.walk(self.node))

    def spread(self):
        for _ in range(4):
            size = len(self.given) + len(self.stored)
            for node in ast.walk(self.node):
                if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and node.value is not None:
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                    if self.tainted(node.value):
                        self.take(targets)
                elif isinstance(node, ast.For) and self.tainted(node.iter):
                    self.take([node.target])
            if size == len(self.given) + len(self.stored):
                break

    def take(self, targets):
        for target in targets:
            for child in ast.walk(target):
                if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                    self.given.add(child.id)
                elif isinstance(child, ast.Attribute) and isinstance(child.value, ast.Name) and \
                        child.value.id == self.itself:
                    self.stored.add(child.attr)


def read(libraries):
    functions = collections.defaultdict(list)
    versions = set()
    for library in libraries:
        versions.add(re.search(r"3\.\d+", library.rstrip("/").rpartition("/")[2]).group())
        for folder, folders, files in os.walk(library):
            folders[:] = [f for f in folders if f not in SKIP and not f.startswith("config-")]
            for file in files:
                if not file.endswith(".py") or file == "sitecustomize.py":
                    continue
                path = os.path.join(folder, file)
                name = os.path.relpath(path, library)[:-3].replace(os.sep, ".").removesuffix(".__init__")
                try:
                    text = open(path, encoding="utf-8").read()
                    tree = ast.parse(text)
                except (SyntaxError, UnicodeDecodeError):
                    print("not read:", path, file=sys.stderr)
                    continue
                collect(functions, name, None, tree.body, text.splitlines())
    return functions, sorted(versions, key=lambda v: int(v[2:]))


SEEN = set()  # most functions are the same in all versions


def collect(functions, module, owner, body, lines):
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            key = (module, owner, "\n".join(lines[node.lineno - 1:node.end_lineno]))
            if key not in SEEN:
                SEEN.add(key)
                functions[node.name].append(Function(module, owner, node))
        elif isinstance(node, ast.ClassDef):
            collect(functions, module, node.name, node.body, lines)
        elif isinstance(node, (ast.If, ast.Try)):
            collect(functions, module, owner, node.body + node.orelse, lines)


def direct_sinks(function, call, members):
    name = dotted(call.func)
    last = call.func.attr if isinstance(call.func, ast.Attribute) else name
    values = list(call.args) + [k.value for k in call.keywords]
    if not any(function.tainted(v, members) for v in values):
        return None, ()
    found = [DOTTED[name]] if name in DOTTED else []
    if last in SINKS and (name == last or last not in ("open", "exec", "eval", "getattr")):
        capability, position = SINKS[last]
        counted = values if position is None else call.args[position:position + 1]
        if any(function.tainted(v, members) for v in counted):
            found.append(capability)
    return name, found


def handed_on(function, name, functions, classes):
    # A function of this module, a method of this class, a function of another module by its name.
    head, _, tail = name.rpartition(".")
    head = head if head in (None, function.itself) else head.lstrip("_")  # import shutil as _shutil
    for other in functions.get(tail, ()):
        local = other.module == function.module and (
            (not head and other.owner is None) or (head == function.itself and other.owner == function.owner))
        if local or (head and head in (other.module, other.module.rpartition(".")[2]) and not other.owner):
            yield from other.wraps
    for capability in classes.get((function.module, name), ()):
        yield capability


def main():
    sys.setrecursionlimit(10000)
    functions, versions = read(sys.argv[1:])
    every = [f for group in functions.values() for f in group]
    members = collections.defaultdict(set)
    for f in every:
        if f.owner and f.node.name in ("__init__", "__new__"):
            members[f.module, f.owner] |= f.stored
    classes = collections.defaultdict(set)
    for f in every:
        f.names = set()
        for call in f.calls:
            name, found = direct_sinks(f, call, members[f.module, f.owner])
            f.wraps.update(found)
            if name:
                f.names.add(name)
    while True:
        size = sum(len(f.wraps) for f in every)
        for f in every:
            for name in f.names:
                f.wraps.update(handed_on(f, name, functions, classes))
            if f.owner and f.node.name in ("__init__", "__new__"):
                classes[f.module, f.owner] |= f.wraps
        if size == sum(len(f.wraps) for f in every):
            break
    rows = collections.defaultdict(set)
    for f in every:
        top = f.module.split(".")[0]
        closed = any(f.module == c or f.module.startswith(c + ".") for c in CLOSED)
        if closed or not f.wraps:
            continue
        capability = min(f.wraps, key=ORDER.index)
        name = f.node.name
        if name.startswith("__") and name.endswith("__"):
            if name != "__init__" or not f.owner:
                continue
            key, method = (f.module, f.owner), False
        else:
            key, method = (f.module, name), bool(f.owner)
        if {".".join(key), key[1], f.module + ".*", top + ".*"} & HARMLESS:
            continue
        rows[(top if method else f.module), method, capability].add(key[1])
    write(rows, versions)


def table(name, rows):
    print(f"inline constexpr auto {name} = std::to_array<MemberGroup>({{")
    for (module, capability), names in sorted(rows.items()):
        use = "kPath" if capability.startswith("kFiles") else "kPlain"
        print(f'    {{"{module}", Capability::{capability}, MemberUse::{use},')
        lines = packed(sorted(names))
        print("\n".join(f'     "{line} "' if last else f'     "{line}"' for line, last in lines) + "},")
    print("});")


def packed(names):
    lines = [""]
    for name in names:
        if len(lines[-1]) + len(name) > 100:
            lines.append("")
        lines[-1] += " " + name
    return [(line, line is lines[-1]) for line in lines]


def write(rows, versions):
    functions = {(m, c): n for (m, method, c), n in rows.items() if not method}
    # A method's path is judged where methods are: by the literal that it is given.
    methods = collections.defaultdict(set)
    for (module, method, capability), names in rows.items():
        kept = {n for n in names if n[0] == "_" or not capability.startswith("kFiles")}
        if method and kept:
            methods[module, capability] |= kept
    print(f"// Generated by generate_wrappers.py from Python {versions[0]} to {versions[-1]}. Do not edit.")
    print("#pragma once\n\n#include <array>\n\n#include \"languages/python/member_table.h\"\n")
    print("namespace langsbx::languages::python {\n\n// clang-format off")
    print("// Functions of modules that hand what they are given to getattr, exec, import, open.")
    table("kWrapperFunctions", functions)
    print("\n// Methods of the modules' classes, by the package they are of.")
    table("kWrapperMethods", methods)
    print("// clang-format on\n\n}  // namespace langsbx::languages::python")


if __name__ == "__main__":
    main()
