"""What a case may raise and declare."""


class Skip(Exception):
    """The case can't run here; the text says why."""


class Failure(AssertionError):
    """The runtime did something else than expected."""


def needs(*facts):
    """Declares what a case needs of the host; see host.missing()."""
    def mark(function):
        function.needs = getattr(function, "needs", ()) + facts
        return function
    return mark


def only(*runtimes):
    """Declares a case about something only these runtimes claim ("langsbx", "runc", "crun")."""
    def mark(function):
        function.only = runtimes
        return function
    return mark


def slow(seconds):
    """Declares a time limit above the usual one."""
    def mark(function):
        function.seconds = seconds
        return function
    return mark


def each(**variants):
    """Makes one case per named variant; the function gets the variant's value as second argument."""
    def mark(function):
        function.variants = variants
        return function
    return mark


def expect(condition, message):
    if not condition:
        raise Failure(message)


def equal(actual, wanted, what="value"):
    if actual != wanted:
        raise Failure(f"{what}: got {actual!r}, wanted {wanted!r}")


def contains(text, part, what="output"):
    if part not in text:
        raise Failure(f"{what}: no {part!r} in {text[-600:]!r}")
