#!/usr/bin/env python3
"""Gate: no source file over 400 lines, no function over 60 lines."""
import re
import subprocess
import sys

FILE_LIMIT = 400
FUNCTION_LIMIT = 60
SOURCES = ("*.cc", "*.h", "*.c", "*.py", "*.sh")
NOT_A_FUNCTION = re.compile(r"^\s*(namespace|class|struct|enum|union|extern|typedef|using)\b")


def tracked(patterns):
    """Files git knows or would know; what is ignored is not ours to judge."""
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", *patterns],
                         check=True, capture_output=True, text=True).stdout
    return sorted(set(out.split("\n")) - {""})


def cxx_functions(lines):
    """(name line, first, last) of bodies at namespace or class level, as clang-format lays them out."""
    head = begun = None
    for number, line in enumerate(lines, 1):
        indent = len(line) - len(line.lstrip(" "))
        text = line.strip()
        # Parameters over several lines: the body belongs to where the declaration began.
        if head is None and begun is not None and text.endswith(("{", ";", "}")):
            if text.endswith("{"):
                head = begun
            begun = None
            continue
        if head is None and indent <= 2 and text.endswith((",", "(", ")")) and "(" in text and not text.startswith("//"):
            begun = (number, indent, text)
            continue
        if head is not None:
            if line.rstrip() in (" " * head[1] + "}", " " * head[1] + "};"):
                yield head[2], head[0], number
                head = None
            continue
        if indent > 2 or not text.endswith("{") or NOT_A_FUNCTION.match(line):
            continue
        if "=" in text.split("(")[0] or text.startswith(("#", "//")):
            continue
        if ")" in text:
            head = (number, indent, text)


def py_functions(lines):
    """(name line, first, last) of each def, nested ones counted with their parent."""
    starts = [(i, len(l) - len(l.lstrip()), l.strip()) for i, l in enumerate(lines, 1)
              if re.match(r"\s*(async )?def ", l)]
    for first, indent, text in starts:
        last = first
        for number in range(first + 1, len(lines) + 1):
            line = lines[number - 1]
            if not line.strip():
                continue
            if len(line) - len(line.lstrip()) <= indent and not line.strip().startswith(")"):
                break
            last = number
        yield text, first, last


def main():
    faults = []
    files = tracked(SOURCES)
    for path in files:
        try:
            with open(path, encoding="utf-8", errors="replace") as handle:
                lines = handle.read().split("\n")[:-1]
        except FileNotFoundError:
            continue
        # Fixtures are input of the guard, shaped to be bad.
        if "/fixtures/" in path:
            continue
        if len(lines) > FILE_LIMIT:
            faults.append(f"{path}: {len(lines)} lines, at most {FILE_LIMIT}")
        functions = py_functions(lines) if path.endswith(".py") else cxx_functions(lines)
        if path.endswith(".sh"):
            continue
        for name, first, last in functions:
            if last - first + 1 > FUNCTION_LIMIT:
                faults.append(f"{path}:{first}: function of {last - first + 1} lines, "
                              f"at most {FUNCTION_LIMIT}: {name[:60]}")
    for fault in faults:
        print(fault)
    print(f"check_sizes: {len(files)} files, {len(faults)} too long")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
