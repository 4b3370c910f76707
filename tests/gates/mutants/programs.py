"""The finished programs, copied for each worker, with the mistake that is on and what they came across."""
import hashlib
import os
import shutil

MARK = b"LANGSBX-MUTANT-CHOSEN\0"
CHOSEN, SEEN, MOST_SEEN = len(MARK), len(MARK) + 2, 103
MOST = 4096


def digest(path):
    with open(path, "rb") as program:
        return hashlib.sha256(program.read()).hexdigest()


def change(path, number, seen=""):
    """Writes which mistake is on (0: none) and where the program notes what it comes across ("": nowhere)."""
    if len(seen.encode()) > MOST_SEEN:
        raise SystemExit(f"mutants: {seen} is too long a name")
    with open(path, "r+b") as program:
        data = program.read()
        place = data.find(MARK)
        while place >= 0:
            program.seek(place + CHOSEN)
            program.write(number.to_bytes(2, "little") + seen.encode().ljust(MOST_SEEN, b"\0"))
            place = data.find(MARK, place + 1)


class Seen:
    """The file where programs note the mistakes that they come across."""

    def __init__(self, path):
        self.path = path
        self.clear()
        os.chmod(self.path, 0o666)

    def clear(self):
        with open(self.path, "r+b" if os.path.exists(self.path) else "wb") as handle:
            handle.write(bytes(MOST))

    def numbers(self):
        with open(self.path, "rb") as handle:
            return [number for number, byte in enumerate(handle.read()) if byte]


class Copies:
    """A worker's own copies: what is switched on there changes nothing for the other workers."""

    def __init__(self, folder, built):
        self.folder, self.built = folder, built
        os.makedirs(folder)
        os.chmod(folder, 0o755)
        self.seen = Seen(f"{folder}/seen")

    def one(self, source, number, watched=False):
        """A copy of a program with this mistake on. A new file each time: the old one may still run."""
        target = f"{self.folder}/{os.path.basename(source)}"
        shutil.copy(source, target + ".new")
        os.chmod(target + ".new", 0o755)
        change(target + ".new", number, self.seen.path if watched else "")
        os.replace(target + ".new", target)
        return target

    def runtime(self, number, watched=False):
        """langsbx and what it looks for beside itself."""
        for name in ("langsbx-systemd", "langsbxd"):
            if os.path.exists(f"{self.built}/{name}/{name}"):
                self.one(f"{self.built}/{name}/{name}", number, watched)
        return self.one(f"{self.built}/langsbx/langsbx", number, watched)
