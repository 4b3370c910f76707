"""The commands of the README's section on engines, run as they stand there, one case a line."""
import os
import re

README = os.path.join(os.path.dirname(__file__), "../../README.md")
# What differs from a user's machine: the files that `install` edits are below the scratch folder.
LANGSBX = 'langsbx() { verb=$1; shift; $RUNTIME $verb $SYSROOT "$@"; }; cd $V; '


def commands(section):
    with open(README, encoding="utf-8") as handle:
        text = handle.read()
    block = re.search(rf"^\*\*{section}\*\*.*?^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL).group(1)
    return [re.sub(r" +# .*", "", line) for line in block.splitlines()]


def cases(section, prelude, **words):
    """(name, script) of each line, with the placeholders (IMAGE, CONTAINER, …) filled in."""
    made = []
    for number, line in enumerate(commands(section), 1):
        script = re.sub(r"\b(" + "|".join(words) + r")\b", lambda found: words[found.group(1)], line) if words else line
        made.append((f"readme-{number}", LANGSBX + prelude + script.replace("/usr/local/sbin/langsbx", "$RUNTIME")))
    return made
