#!/usr/bin/env python3
"""Gate: no open() in runtime/ that can wait for somebody.

A pipe without a writer, put where a file was, holds open() for ever, and create with it. Whoever shares a volume, or is
in the container, can put one there. So an open names O_NONBLOCK, O_PATH, O_DIRECTORY or O_EXCL, or its place is one
that only the kernel or we ourselves fill: those are named below, each with the reason."""
import pathlib
import re
import sys

CALL = re.compile(r"(?<![\w.:>])(?:::)?(open|openat|open_at|open_file|open_in_root|walk_in_root|open_beneath|openat2)\(")
WHOLE = re.compile(r"(?<![\w.:>])(read_file|read_file_at|read_kernel_file|write_file|write_file_at|replace_file_at)\(")
NEVER_WAITS = re.compile(r"\b(O_NONBLOCK|O_PATH|O_DIRECTORY|O_EXCL|kDirectory)\b")
OF_THE_KERNEL = re.compile(r'"/(proc|sys)/|"/dev/null"|"/proc/self/fd|descriptor_path\(|\bkExe\b')
# Where a container's files are handled: there whole files may not be read by name either.
NEAR_THE_CONTAINER = ("runtime/isolate/", "runtime/guard/container_files.cc", "runtime/launch/executable.cc", "runtime/launch/last_steps.cc",
                      "runtime/launch/init.cc")

# File -> text in the call -> why nobody can make it wait.
ALLOWED = {
    "runtime/kernel/file.cc": {"directory, path": "read and write of whole files: their callers are looked at below",
                               "temporary": "a new name in a folder of ours"},
    "runtime/kernel/path.cc": {"flags": "the flags are the caller's"},
    "runtime/state/store.cc": {"id": "opens a container, its lock"},
    "runtime/kernel/own_binary.cc": {"copy.get()": "our own descriptor"},
    "runtime/plan/namespaces.cc": {"entry.path": "config.json names it, on the host"},
    "runtime/isolate/namespaces.cc": {"proc + ": "a child of ours in the host's procfs"},
    "runtime/isolate/kernel_settings.cc": {"procfs, file": "the host's procfs"},
    "runtime/isolate/hooks.cc": {"found->second": "an annotation names it, on the host"},
    "runtime/confine/labels.cc": {"procfs, path": "the host's procfs"},
    "runtime/host/net_devices.cc": {"/ns/net": "the host's procfs"},
    "runtime/verbs/time_limits.cc": {"watched.verdicts": "the state directory"},
    "runtime/launch/explaining.cc": {"wish.file": "an option names it, on the host", "kExplainFile": "the state directory"},
    "runtime/guard/source_gate.cc": {"kVerdictFile": "the state directory"},
    "runtime/state/container.cc": {"kStagedRecord": "the state directory", "kConfigFile": "the state directory"},
    "runtime/execute/events.cc": {"path": "--events names it"},
    "runtime/execute/gauge.cc": {"path.c_str()": "a file of a cgroup"},
    "runtime/execute/light_folder.cc": {"place.parent.get()": "a folder of ours"},
    "runtime/execute/maximum.cc": {"log_path()": "a file of ours"},
    "runtime/image/image.cc": {"image, O_RDONLY": "an image the caller names"},
    "runtime/cgroup/": {"": "files of cgroups"},
}


def arguments(text, begin):
    """What stands between the parenthesis that ends at `begin` and the one that closes it."""
    depth = 1
    for place in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return text[begin:place]
    return text[begin:]


def without_comments(text):
    return re.sub(r"//[^\n]*", lambda match: " " * len(match.group()), text)


def constants(text):
    """Names of flags that are put together elsewhere in the file."""
    return {name: value for name, value in re.findall(r"constexpr int (\w+) = ([^;]*);", text)}


def is_allowed(path, call):
    for name, texts in ALLOWED.items():
        if path == name or (name.endswith("/") and path.startswith(name)):
            if any(part in call for part in texts):
                return True
    return False


def faults_of(path):
    text = without_comments(path.read_text(encoding="utf-8"))
    names = constants(text)
    near = str(path).startswith(NEAR_THE_CONTAINER)
    for match in CALL.finditer(text):
        call = " ".join(arguments(text, match.end()).split())
        whole = call + " " + " ".join(value for name, value in names.items() if re.search(rf"\b{name}\b", call))
        declared = re.match(r"(int|const|std::|\)|$)", call)
        if declared or NEVER_WAITS.search(whole) or OF_THE_KERNEL.search(whole) or is_allowed(str(path), call):
            continue
        yield text.count("\n", 0, match.start()) + 1, f"{match.group(1)}({call}) may wait: name O_NONBLOCK or O_PATH"
    for match in WHOLE.finditer(text) if near else ():
        call = " ".join(arguments(text, match.end()).split())
        if OF_THE_KERNEL.search(call) or is_allowed(str(path), call):
            continue
        yield text.count("\n", 0, match.start()) + 1, f"{match.group(1)}({call}) may wait: open it without waiting, then read"


def main():
    count = 0
    paths = sorted(pathlib.Path("runtime").rglob("*.cc"))
    for path in paths:
        for line, reason in faults_of(path):
            print(f"{path}:{line}: {reason}")
            count += 1
    print(f"opens: {len(paths)} files, {count} that may wait")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
