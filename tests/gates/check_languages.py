#!/usr/bin/env python3
"""Gate: only a language's own folder compares with its name; others ask languages::Language."""
import glob
import re
import subprocess
import sys

NAME = re.compile(r'\.name = "(\w+)"')
# What holds a language's name when it is compared.
HOLDER = r"(?:language(?:->name|\.name|\(\)|_)?|lang)"


def names():
    """{name: folder}, from the language values."""
    found = {}
    for path in glob.glob("languages/*/*.cc"):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for value in re.findall(r"const Language k\w+ = \{(.*?)\};", text, re.S):
            name = NAME.search(value)
            if name:
                found[name.group(1)] = path.split("/")[1]
    return found


def main():
    languages = names()
    either = "|".join(map(re.escape, sorted(languages)))
    compared = re.compile(rf'{HOLDER}\s*[=!]=\s*"({either})"|"({either})"\s*[=!]=\s*\w*{HOLDER}'
                          rf'|\bname\s*[=!]=\s*"({either})".*language|language.*\bname\s*[=!]=\s*"({either})"')
    faults = []
    sources = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "cmd/*.cc", "cmd/*.h", "runtime/*.cc",
                              "runtime/*.h", "languages/*.cc", "languages/*.h", "oci/*.cc", "oci/*.h"],
                             check=True, capture_output=True, text=True).stdout.split()
    for path in sources:
        try:
            with open(path, encoding="utf-8") as file:
                lines = file.read().split("\n")
        except FileNotFoundError:
            continue
        for number, line in enumerate(lines, 1):
            found = compared.search(line)
            if not found:
                continue
            name = next(group for group in found.groups() if group)
            if not path.startswith(f"languages/{languages[name]}/"):
                faults.append(f'{path}:{number}: compares with "{name}"; ask languages::Language instead')
    for fault in faults:
        print(fault)
    print(f"check_languages: {len(languages)} languages, {len(faults)} comparisons outside their folder")
    return 0 if languages and not faults else 1


if __name__ == "__main__":
    sys.exit(main())
