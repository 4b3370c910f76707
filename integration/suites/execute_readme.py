"""The README's examples, pasted as a new user would: each language says hello."""
import os
import re
import subprocess

from harness.case import Skip, each, equal, expect, only, slow

README = os.path.join(os.path.dirname(__file__), "../../runtime/execute/README.md")
LANGUAGES = {"python": "hello.py", "bash": "hello.sh", "javascript": "hello.js", "typescript": "hello.ts", "c": "hello.c",
             "cpp": "hello.cpp", "go": "hello.go", "rust": "hello.rs", "java": "Hello.java", "r": "hello.R"}


def block(name):
    with open(README, encoding="utf-8") as handle:
        blocks = re.findall(r"^```sh\n(.*?)^```$", handle.read(), re.MULTILINE | re.DOTALL)
    return next(text for text in blocks if f"> {name}\n" in text or f"> {name} <<" in text)


USER = 12345


def paste(it, name, prefix=()):
    folder = f"{it.folder}/user"
    os.mkdir(folder)
    with open(f"{folder}/langsbx", "w", encoding="utf-8") as handle:
        handle.write(f'#!/bin/sh\nexec "{it.rt.path}" --root "{folder}/state" "$@"\n')
    os.chmod(f"{folder}/langsbx", 0o755)
    if prefix:
        os.chown(folder, USER, USER)
    made = subprocess.run([*prefix, "sh", "-c", block(name)], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=140, check=False, env={"PATH": f"{folder}:/usr/sbin:/usr/bin:/sbin:/bin"})
    if made.returncode == 127:
        expect("apt install" in made.stderr, f"no package is named: {made.stderr[-300:]}")
        raise Skip(made.stderr.strip()[-200:])
    equal((made.returncode, made.stdout), (0, "Hello, World\n"), made.stderr[-600:])


@only("langsbx")
@each(**LANGUAGES)
@slow(150)
def test_hello(it, name):
    paste(it, name)


@only("langsbx")
@each(**LANGUAGES)
@slow(150)
def test_hello_as_user(it, name):
    paste(it, name, ("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all"))


@only("langsbx")
def test_every_language_has_its_block(it):
    for name in LANGUAGES.values():
        expect("langsbx execute" in block(name), name)
