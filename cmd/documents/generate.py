#!/usr/bin/env python3
"""Man pages and shell completions from the option tables: generate.py LANGSBX FOLDER asks the program itself."""
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field

import completions
import manual

OPTION = re.compile(r"^   (--.*?)  +(.*)$")
COMMAND = re.compile(r"^   (\S+)  +(.*)$")


@dataclass
class Option:
    long: str
    short: str
    value: str  # "FILE", "a|b", "" for a flag
    text: str


@dataclass
class Page:
    name: str
    summary: str
    arguments: str = ""
    options: list = field(default_factory=list)


def option(line):
    names, text = OPTION.match(line).groups()
    long, _, short = names.partition(", -")
    long, _, value = long[2:].partition(" ")
    return Option(long, short[:1], value, text)


def sections(text):
    """{"OPTIONS": [lines]} of a --help."""
    found, name = {}, ""
    for line in text.splitlines():
        if re.fullmatch(r"[A-Z ]+:", line):
            name = line[:-1]
        elif line:
            found.setdefault(name, []).append(line)
    return found


def ask(program, *words):
    return sections(subprocess.run([program, *words, "--help"], check=True, capture_output=True, text=True,
                                   stdin=subprocess.DEVNULL).stdout)


def read(program):
    """The page of the program, and those of its commands."""
    top = ask(program)
    main = Page("langsbx", "run containers and judge the programs they start",
                options=[option(line) for line in top["GLOBAL OPTIONS"]])
    pages = []
    for line in top["COMMANDS"]:
        name, summary = COMMAND.match(line).groups()
        found = ask(program, name)
        arguments = found["USAGE"][0].partition("[command options]")[2].strip()
        pages.append(Page(name, summary, arguments, [option(line) for line in found["OPTIONS"]]))
    return main, pages


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(text)


def main():
    program, folder = sys.argv[1:]
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[2]
    top, pages = read(program)
    for name, text in manual.pages(top, pages, version).items():
        write(f"{folder}/man/man8/{name}.8", text)
    write(f"{folder}/bash-completion/completions/langsbx", completions.bash(top, pages))
    write(f"{folder}/zsh/vendor-completions/_langsbx", completions.zsh(top, pages))
    write(f"{folder}/fish/vendor_completions.d/langsbx.fish", completions.fish(top, pages))


if __name__ == "__main__":
    main()
