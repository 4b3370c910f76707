"""The cases that may fail once and pass when run again (unsteady.txt), for the unit tests and the integration suites."""
import os

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "unsteady.txt")


def excused(path=LIST):
    """{case: the reason}. A line without a reason is an error."""
    reasons = {}
    with open(path, encoding="utf-8") as handle:
        for number, line in enumerate(handle, 1):
            if not line.strip() or line.startswith("#"):
                continue
            name, *reason = line.split(None, 1)
            if not reason:
                raise ValueError(f"{path}:{number}: {name} has no reason")
            reasons[name] = reason[0].strip()
    return reasons
