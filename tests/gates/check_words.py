#!/usr/bin/env python3
"""Gate: nothing of one machine and no catch-all folders in what is tracked; every folder has a README."""
import os
import re
import subprocess
import sys

# Fixed patterns only: a verdict that depends on where the checkout lies differs from machine to machine.
# Written with brackets so that this file does not match itself.
PATTERNS = (
    (re.compile(r"/ho[m]e/[a-z]+/(?!\.\.\.)(src|work|projects?)/"), "a path of one machine"),
    (re.compile(r"/root/[.](pyenv|cache|local|cargo|rustup|npm|nvm)\b"), "a path of one machine"),
    (re.compile(r'"resol[v]ed": "http'), "a recorded download address"),
    (re.compile(r"\b(qua[y]\.io|ghc[r]\.io|gc[r]\.io|registr[y]\.k8s\.io|docker\.i[o]/library|deb\.debia[n]\.org|registr[y]\.npmjs\.org)\b"), "a registry host"),
    (re.compile(r"^(<{7}|>{7}) "), "a merge marker"),
)
FORBIDDEN_FOLDERS = {"utils", "util", "common", "helpers", "helper", "misc"}
README_FOLDERS = ("cmd", "runtime", "oci", "languages", "seccomp-profiles", "tests", "integration")


def tracked_files():
    out = subprocess.run(["git", "ls-files", "-z"], check=True, capture_output=True).stdout
    return [p for p in out.decode().split("\0") if p]


def main():
    faults, files = [], tracked_files()
    for path in files:
        parts = path.split("/")
        named = [re.sub(r"\.[a-z]+$", "", part) for part in parts]
        if FORBIDDEN_FOLDERS & set(named):
            faults.append(f"{path}: a folder or file called so holds anything; name it after what it does")
        try:
            with open(path, encoding="utf-8") as handle:
                lines = handle.read().split("\n")
        except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            continue
        for number, line in enumerate(lines, 1):
            for pattern, reason in PATTERNS:
                if pattern.search(line):
                    faults.append(f"{path}:{number}: {reason}")
    for folder in README_FOLDERS:
        if not os.path.exists(f"{folder}/README.md"):
            faults.append(f"{folder}: no README.md")
    for fault in faults:
        print(fault)
    print(f"check_words: {len(files)} files, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
