#!/usr/bin/env python3
"""Gate: includes go one way, the order of the libraries in CMakeLists.txt; oci and languages stay pure; only cmd prints."""
import re
import subprocess
import sys

# May include only themselves and runtime/base, and make no system calls.
PURE = ("oci", "languages", "runtime/base")
SYSTEM = re.compile(r"<(unistd|fcntl|sched|dirent|poll|signal)\.h>|<(sys|linux)/[a-z_]+\.h>|<seccomp\.h>")
# errno texts and off_t are values, not calls.
SYSTEM_ALLOWED = {"<sys/types.h>"}
INCLUDE = re.compile(r'^\s*#\s*include\s+("([^"]+)"|<[^>]+>)')
PRINTS = re.compile(r"\bstd::(cout|cerr|clog)\b|(?<![\w.])(std::)?(printf|puts|perror|vprintf)\s*\("
                    r"|\bfprintf\s*\(\s*(stderr|stdout)\b|\bf?puts\s*\([^;]*\b(stderr|stdout)\b")


def library_order():
    """The folders in dependency order, read from the one place that defines it."""
    with open("CMakeLists.txt", encoding="utf-8") as handle:
        text = handle.read()
    return re.search(r"foreach\(folder ([^)]*)\)", text).group(1).split()


def folder_of(path, order):
    """The longest library folder that holds this path."""
    hits = [f for f in order if path.startswith(f + "/")]
    return max(hits, key=len) if hits else None


def check_include(path, home, match, order):
    if not match.group(2):
        name = match.group(1)
        if home in PURE and home != "runtime/base" and SYSTEM.match(name) and name not in SYSTEM_ALLOWED:
            return f"{home} makes no system calls, yet includes {name}"
        return None
    target = folder_of(match.group(2), order)
    if target is None or target == home:
        return None
    if home in PURE and target != "runtime/base":
        return f"{home} may include only itself and runtime/base, not {match.group(2)}"
    if order.index(target) > order.index(home):
        return f"{home} stands before {target} in CMakeLists.txt and may not include {match.group(2)}"
    return None


def main():
    order = library_order()
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.cc", "*.h"],
                         check=True, capture_output=True, text=True).stdout
    faults, files = [], [p for p in sorted(set(out.split("\n"))) if p and folder_of(p, order)]
    for path in files:
        home = folder_of(path, order)
        try:
            with open(path, encoding="utf-8") as handle:
                lines = handle.readlines()
        except FileNotFoundError:
            continue
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            fault = check_include(path, home, match, order) if match else None
            code = line.split("//")[0]
            if not fault and not path.startswith("cmd/") and '"' not in code[:code.find("(") + 1] and PRINTS.search(code):
                fault = "only cmd prints; libraries return"
            if fault:
                faults.append(f"{path}:{number}: {fault}")
    for fault in faults:
        print(fault)
    print(f"check_links: {len(files)} files, {len(faults)} wrong links")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
