#!/usr/bin/env python3
"""Not a gate: prints what the sources measure, folder by folder: sizes, tiny files, comments; functions by length, by
branches and by the length of their parameter lists. table.py [--worst N]."""
import argparse
import collections
import re
import statistics

from check_sizes import cxx_functions, tracked

TINY = 40
MOST_BRANCHES = 20
BRANCH = re.compile(r"\b(?:if|for|while|case|catch)\b| && | \|\| | \? ")
LITERAL = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*')
NAME = re.compile(r"(?:operator[^\w\s(]+|~?\w+)\(")


def folder_of(path):
    """cmd, runtime and languages by their rooms; everything else by its top folder."""
    parts = path.split("/")
    deep = parts[0] in ("cmd", "runtime", "languages") and len(parts) > 2
    return "/".join(parts[:2]) if deep else parts[0]


def is_product(path):
    return not path.startswith(("tests/", "integration/"))


def code_of(text):
    """Without texts and comments, in which every word could be mistaken for a branch."""
    return LITERAL.sub('""', text)


def is_comment(line):
    return line.lstrip().startswith(("//", "/*", "* "))


def parameters_of(head):
    """How many parameters a function's head declares."""
    while (flat := re.sub(r"<[^<>]*>", "", head)) != head:
        head = flat
    name = NAME.search(head)
    if name is None:
        return 0
    depth, count, empty = 0, 1, True
    for letter in head[name.end() - 1:]:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            break
        count += letter == "," and depth == 1
        empty = empty and letter in "( \n"
    return 0 if empty else count


class File:
    def __init__(self, path):
        self.path, self.folder = path, folder_of(path)
        with open(path, encoding="utf-8", errors="replace") as handle:
            self.lines = handle.read().split("\n")[:-1]
        self.comments = sum(map(is_comment, self.lines))

    def functions(self):
        for _, first, last in cxx_functions(self.lines):
            body = code_of("\n".join(self.lines[first - 1:last]))
            yield Function(f"{self.path}:{first}", last - first + 1, 1 + len(BRANCH.findall(body)),
                           parameters_of(body[:body.find("{\n")]))


Function = collections.namedtuple("Function", "place lines branches parameters")


def at(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def row(name, files):
    sizes = [len(file.lines) for file in files]
    total = sum(sizes) or 1
    sources = sum(file.path.endswith(".cc") for file in files)
    tiny = sum(size < TINY for size in sizes)
    share = 100 * sum(file.comments for file in files) / total
    return (f"{name:26}{sources:5}{len(files) - sources:5}{total:8}{statistics.median(sizes):8.0f}{at(sizes, 0.95):6}"
            f"{max(sizes):6}{tiny:6}{share:8.1f}")


def print_files(files):
    print(f"{'folder':26}{'.cc':>5}{'.h':>5}{'lines':>8}{'median':>8}{'p95':>6}{'max':>6}{f'<{TINY}':>6}{'comment%':>9}")
    folders = collections.defaultdict(list)
    for file in files:
        folders[file.folder].append(file)
    for folder in sorted(folders):
        print(row(folder, folders[folder]))
    print(row("product", [file for file in files if is_product(file.path)]))


def print_functions(functions, worst):
    lengths = [one.lines for one in functions]
    print(f"{len(functions)} functions: median {statistics.median(lengths):.0f} lines, p90 {at(lengths, 0.9)}, "
          f"p95 {at(lengths, 0.95)}, max {max(lengths)}")
    over = [one for one in functions if one.branches > MOST_BRANCHES]
    print(f"{len(over)} with more than {MOST_BRANCHES} branches; the worst:")
    for one in sorted(over, key=lambda function: -function.branches)[:worst]:
        print(f"  {one.branches:3} branches in {one.lines} lines  {one.place}")
    counts = collections.Counter(min(one.parameters, 6) for one in functions)
    print("parameters: " + ", ".join(f"{counts[n]} with {n}{' or more' if n == 6 else ''}" for n in range(7)))
    longest = sorted(functions, key=lambda function: -function.parameters)[:worst]
    for one in [function for function in longest if function.parameters > 5]:
        print(f"  {one.parameters:3} parameters  {one.place}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worst", type=int, default=5)
    arguments = parser.parse_args()
    files = [File(path) for path in tracked(("*.cc", "*.h")) if "/fixtures/" not in path]
    print_files(files)
    print_functions([one for file in files if is_product(file.path) for one in file.functions()], arguments.worst)


if __name__ == "__main__":
    main()
