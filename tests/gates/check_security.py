#!/usr/bin/env python3
"""Gate: SECURITY.md says of each known fault of runtimes what stands against it, and the tests that it names exist."""
import re
import subprocess
import sys

# Faults of runtimes; what is an engine's alone is not here.
FAULTS = """
2016-3697 2016-8867 2016-9962 2018-15664 2018-18554 2019-14271 2019-5736 2019-16884 2019-19921 2019-18837 2020-15257 2021-30465
2021-43784 2022-0185 2022-0492 2022-0847 2022-0811 2022-24769 2022-29162 2022-27649 2022-27650 2022-27651 2022-27652 2023-25809
2023-27561 2023-28642 2024-21626 2024-3154 2024-45310 2024-0132 2024-0133 2025-23359 2025-23266 2025-23267 2024-40635 2026-46680
2025-24965 2025-27612 2025-54867 2025-31133 2025-62161 2025-52565 2025-52881 2025-62596 2026-30892 2026-41579 2026-47766
2026-53488 2026-53489 2026-53492 2026-84042 2026-88264 2026-88265 2026-115520 2026-115521 2026-119101
""".split()
UNIT = re.compile(r"^\s*TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.MULTILINE)
CASE = re.compile(r"^def test_(\w+)\(", re.MULTILINE)


def tracked(*patterns):
    out = subprocess.run(["git", "ls-files", "-z", *patterns], check=True, capture_output=True).stdout
    return [p for p in out.decode().split("\0") if p]


def text_of(path):
    try:
        with open(path, encoding="utf-8") as handle:
            return handle.read()
    except FileNotFoundError:
        return ""


def known_tests():
    names = set()
    for path in tracked("tests/*.cc"):
        names |= {f"{suite}.{name}" for suite, name in UNIT.findall(text_of(path))}
    for path in tracked("integration/suites/*.py"):
        suite = path.rsplit("/", 1)[1][:-3]
        names |= {f"{suite}.{name.replace('_', '-')}" for name in CASE.findall(text_of(path))}
    return names


def rows_of(document):
    """(line number, first cell, last cell) of the table of attacks."""
    inside = False
    for number, line in enumerate(document.split("\n"), 1):
        if line.startswith("## "):
            inside = line.startswith("## Known attacks")
        elif inside and line.startswith("| ") and not line.startswith("| attack "):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            yield number, cells[0], cells[-1]


def main():
    faults, named, attacks = [], set(), ""
    tests = known_tests()
    for number, attack, cell in rows_of(text_of("SECURITY.md")):
        attacks += attack + "\n"
        wanted = re.findall(r"`([\w.-]+)`", cell)
        if not wanted:
            faults.append(f"SECURITY.md:{number}: no test is named for: {attack[:60]}")
        for name in wanted:
            if name not in tests:
                faults.append(f"SECURITY.md:{number}: there is no test {name}")
        named |= set(wanted)
    for fault in FAULTS:
        if f"CVE-{fault}" not in attacks:
            faults.append(f"SECURITY.md: nothing is said of CVE-{fault}")
    print("\n".join(faults) + ("\n" if faults else "") + f"security: {len(FAULTS)} known faults, {len(named)} tests named, "
          f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
