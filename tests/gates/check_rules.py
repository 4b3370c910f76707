#!/usr/bin/env python3
"""Gate: a rule is one row of a table, with one fixture named after it; no two have one id."""
import glob
import os
import re
import subprocess
import sys

TABLES = "languages/shared_rules.h", *sorted(glob.glob("languages/*/rules.h"))
ROW = re.compile(r'\{\.id = "([^"]+)"')
# A rule anywhere else is one that `langsbx rules` does not know.
ELSEWHERE = re.compile(r"\bRule\s+\w+\s*(=|\{|\[)")
FOUND = re.compile(r"expect: (\S+)")
LOOK_ALIKE = re.compile(r"(//|#|--|%|/\*) ok\b")
# Judged by the rules of another folder.
SHARES = {"cpp": "c"}
# What is no source of a language has tests of its own: tests/languages/core, tests/languages/elf.
WITHOUT_FIXTURES = ("languages/shared_rules.h", "languages/elf/rules.h")


def rows(table):
    with open(table, encoding="utf-8") as file:
        return ROW.findall(file.read())


def fixture_faults(path, rule):
    """The two kinds of line that a fixture must have."""
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n")
    if not any(rule in FOUND.findall(line) for line in lines):
        yield f"{path}:1: no line that {rule} must find (\"expect: {rule}\")"
    if not any(LOOK_ALIKE.search(line) and "expect:" not in line for line in lines):
        yield f"{path}:1: no look-alike that must pass (marked \"ok\")"


def folder_faults(language, rules):
    names = {}
    for path in sorted(glob.glob(f"languages/{language}/rules/*")):
        stem = os.path.splitext(os.path.basename(path))[0]
        names.setdefault(stem, path)
        if stem not in rules:
            yield f"{path}:1: named after no rule of languages/{SHARES.get(language, language)}/rules.h"
        else:
            yield from fixture_faults(path, stem)
    if language not in SHARES:
        for rule in rules:
            if rule not in names:
                yield f"languages/{language}/rules.h:1: {rule} has no fixture languages/{language}/rules/{rule}.*"


def main():
    faults, seen = [], {}
    for table in TABLES:
        for rule in rows(table):
            if rule in seen:
                faults.append(f"{table}:1: {rule} is a row of {seen[rule]} too")
            seen.setdefault(rule, table)
    for table in TABLES:
        if table not in WITHOUT_FIXTURES:
            faults += folder_faults(os.path.basename(os.path.dirname(table)), rows(table))
    for language, of in SHARES.items():
        faults += folder_faults(language, rows(f"languages/{of}/rules.h"))
    sources = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "languages/*.cc", "languages/*.h"],
                             check=True, capture_output=True, text=True).stdout.split()
    for path in sources:
        if path in TABLES or not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if ELSEWHERE.search(line):
                    faults.append(f"{path}:{number}: a rule outside its language's table")
    for fault in faults:
        print(fault)
    print(f"check_rules: {len(seen)} rules, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
