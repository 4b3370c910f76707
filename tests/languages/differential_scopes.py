#!/usr/bin/env python3
"""Compares whose variable our Python judge takes each name for with CPython's own symtable.

Usage: differential_scopes.py [--most N] SCOPE_DUMP DIRECTORY...

Where ours is sure, it must say the same for every name and every parameter; and what gives a name a
value (assignments, loops, imports, definitions, deletions) must be seen as that. Only captures of
`case`, type parameters and `type` statements may be missed. Files that CPython cannot compile are left out. Exit status 1 on
any difference, or when more than a few files are not understood.
"""
import ast
import re
import subprocess
import symtable
import sys

from differential_python import arguments

BATCH = 200
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Names(ast.NodeVisitor):
    """Walks tree and symbol tables side by side, in the order in which CPython makes the tables."""

    def __init__(self, source, table):
        self.lines = [0]
        for row in source.split(b"\n"):
            self.lines.append(self.lines[-1] + len(row) + 1)
        self.source = source
        self.chain = [(table, "module")]
        self.rest = {id(table): self.children(table)}
        self.owner, self.binds, self.captured, self.names = {}, set(), set(), {}

    @staticmethod
    def children(table):
        return iter([t for t in table.get_children() if t.get_name() != "_annotation"])

    def offset(self, node):
        return self.lines[node.lineno - 1] + node.col_offset

    def lookup(self, name):
        table = self.chain[-1][0]
        # Private names of classes are left out: ours does not tell them apart.
        if name.startswith("__") and not name.endswith("__"):
            return None
        try:
            symbol = table.lookup(name)
        except KeyError:  # in an annotation that is kept as text
            return None
        if symbol.is_global() or table.get_type() == "module":
            return "module"
        if symbol.is_local():
            return self.chain[-1][1]
        for outer, where in reversed(self.chain[:-1]):
            if outer.get_type() == "function" and name in outer.get_identifiers():
                if outer.lookup(name).is_local():
                    return where
        return None

    def inside(self, where, body):
        table = next(self.rest[id(self.chain[-1][0])])
        self.rest[id(table)] = self.children(table)
        self.chain.append((table, where))
        body()
        self.chain.pop()

    def defined(self, node, word):
        at = self.source.index(word, self.offset(node)) + len(word)
        match = re.compile(rb"[\s\\]*").match(self.source, at)
        return match.end()

    def put(self, offset, name, binds):
        owner = self.lookup(name)
        if owner is not None:
            self.owner[offset] = owner
            self.names[offset] = name
            if binds:
                self.binds.add(offset)

    def visit_Name(self, node):
        self.put(self.offset(node), node.id, not isinstance(node.ctx, ast.Load))

    def function(self, node):
        where = self.defined(node, b"def")
        self.put(where, node.name, True)
        arguments = node.args
        self.each(arguments.defaults + arguments.kw_defaults)
        for item in self.parameters(arguments):
            self.each([item.annotation])
        self.each([node.returns] + node.decorator_list)

        def body():
            for item in self.parameters(arguments):
                self.put(self.offset(item), item.arg, True)
            self.each(node.body)
        self.inside(where, body)

    visit_FunctionDef = visit_AsyncFunctionDef = function

    def visit_Match(self, node):
        self.visit(node.subject)
        for case in node.cases:
            for inner in ast.walk(case.pattern):
                for field in ("name", "rest"):
                    if isinstance(getattr(inner, field, None), str):
                        self.captured.add((self.chain[-1][1], getattr(inner, field)))
            self.each([case.pattern, case.guard] + case.body)

    @staticmethod
    def parameters(arguments):
        return [a for a in arguments.posonlyargs + arguments.args + [arguments.vararg] +
                arguments.kwonlyargs + [arguments.kwarg] if a is not None]

    def each(self, nodes):
        for node in nodes:
            if node is not None:
                self.visit(node)

    def visit_Lambda(self, node):
        self.each(node.args.defaults + node.args.kw_defaults)

        def body():
            for item in self.parameters(node.args):
                self.put(self.offset(item), item.arg, True)
            self.visit(node.body)
        self.inside(self.offset(node), body)

    def visit_ClassDef(self, node):
        where = self.defined(node, b"class")
        self.put(where, node.name, True)
        self.each(node.bases + [k.value for k in node.keywords] + node.decorator_list)
        self.inside(where, lambda: self.each(node.body))

    def comprehension(self, node):
        first = node.generators[0]
        self.visit(first.iter)

        def body():
            self.visit(first.target)
            self.each(first.ifs)
            for inner in node.generators[1:]:
                self.each([inner.target, inner.iter] + inner.ifs)
            values = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            if isinstance(node, ast.DictComp):
                values.reverse()
            self.each(values)
        self.inside(self.offset(node), body)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension


def expected(source):
    if re.search(rb"\bdef top\b", source):
        raise SyntaxError("symtable takes a function of that name for the module")
    tree = ast.parse(source)
    names = Names(source, symtable.symtable(source, "file", "exec"))
    if sys.version_info >= (3, 12) and any(getattr(n, "type_params", None) for n in ast.walk(tree)):
        raise SyntaxError("type parameters have tables of their own")
    names.visit(tree)
    return names


def ours(dump, files):
    text = subprocess.run([dump, *map(str, files)], capture_output=True, check=True).stdout.decode()
    result, current = {}, None
    for line in text.splitlines():
        if line.startswith("file "):
            current = result.setdefault(line[5:], {})
        elif " " in line:
            what, offset, scope = line.split()
            current[int(offset)] = (what, scope)
        else:
            current["state"] = line
    return result


def differences(mine, names):
    for offset, owner in sorted(names.owner.items()):
        what, scope = mine.get(offset, ("missing", "missing"))
        if (owner, names.names[offset]) in names.captured:
            continue
        if scope != "any" and scope != str(owner):
            yield offset, f"ours {scope}, CPython {owner}"
        elif offset in names.binds and what != "binds":
            yield offset, "a binding that is not seen"


def main():
    dump, files = arguments()
    compared = differ = unclear = compared_names = 0
    for start in range(0, len(files), BATCH):
        batch = files[start:start + BATCH]
        result = ours(dump, batch)
        for path in batch:
            data = path.read_bytes()
            try:
                if data.startswith(b"\xef\xbb\xbf") or b"\r" in data or b"\f" in data:
                    raise SyntaxError("offsets are not ast's")
                data.decode("utf-8")
                names = expected(data)
            except (SyntaxError, UnicodeDecodeError, ValueError, RecursionError, StopIteration):
                continue
            mine = result[str(path)]
            compared += 1
            if mine["state"] != "understood":
                unclear += 1
                continue
            compared_names += len(names.owner)
            for offset, text in differences(mine, names):
                differ += 1
                line = data.count(b"\n", 0, offset) + 1
                print(f"{path}:{line}: {data[offset:offset + 20]!r}: {text}")
                break
    print(f"{compared} files, {compared_names} names compared, {differ} differ, "
          f"{unclear} not understood")
    return 1 if differ or not compared or unclear * 20 > compared else 0


if __name__ == "__main__":
    sys.exit(main())
