"""What the executed sections of a program refer to: which constants and variables, by the relocations of its object files."""
import collections
import os
import re
import struct

ARCHIVED = re.compile(r"(.*\.a)\(([^)]+)\)$")
DATA = re.compile(r"\.(rodata|data|bss)(\.|$)")
# A larger one holds a language's names or the properties of all characters: few of its pages are read, if any.
LARGEST = 4096
# A list of a language's rules leads to all that they say, which no launch reads.
RULES = re.compile(r"languages.*kRules")
SYMBOL_TABLE, RELOCATIONS = 2, 4


def text(data, at):
    return data[at:data.index(b"\0", at)].decode("utf-8", "replace")


class Object:
    """A relocatable file: its sections, its symbols, and which place of a section refers to which symbol."""

    def __init__(self, data, origin):
        self.origin = origin
        (table,) = struct.unpack_from("<Q", data, 40)
        size, count, names = struct.unpack_from("<HHH", data, 58)
        headers = [struct.unpack_from("<IIQQQQIIQQ", data, table + index * size) for index in range(count)]
        self.names = [text(data, headers[names][4] + header[0]) for header in headers]
        self.sizes = [header[5] for header in headers]
        self.symbols, self.references = [], collections.defaultdict(list)
        for header in headers:
            content = data[header[4]:header[4] + header[5]]
            if header[1] == SYMBOL_TABLE:
                strings = headers[header[6]][4]
                self.symbols = [(text(data, strings + name), info >> 4 != 0, section)
                                for name, info, _, section, _, _ in struct.iter_unpack("<IBBHQQ", content)]
            elif header[1] == RELOCATIONS:
                self.references[header[7]] += [(at, info >> 32)
                                               for at, info, _ in struct.iter_unpack("<QQq", content)]

    def holds(self, section):
        return 0 < section < len(self.names)


def members(path):
    """Of an archive, by name (which several may share)."""
    with open(path, "rb") as handle:
        data = handle.read()
    found, names, at = collections.defaultdict(list), b"", 8
    while at < len(data):
        name, size = data[at:at + 16].decode().rstrip(), int(data[at + 48:at + 58])
        body = data[at + 60:at + 60 + size]
        if name == "//":
            names = body
        elif name not in ("/", "/SYM64/"):
            if name[1:].isdigit():
                name = text(names.replace(b"\n", b"\0"), int(name[1:]))
            found[name.rstrip("/")].append(body)
        at += 60 + size + size % 2
    return found


class Program:
    """All objects of a program. Its sections are what the linker's map tells: address, size, name, origin."""

    def __init__(self, folder, sections):
        self.objects, archives = collections.defaultdict(list), {}
        for origin in {section[3] for section in sections}:
            archived = ARCHIVED.match(origin)
            if archived:
                path = os.path.join(folder, archived[1])
                archives.setdefault(path, members(path))
                bodies = archives[path][archived[2]]
            elif origin.endswith(".o"):
                with open(os.path.join(folder, origin), "rb") as handle:
                    bodies = [handle.read()]
            else:
                continue
            self.objects[origin] = [Object(body, origin) for body in bodies]
        kept = {section[2:] for section in sections}
        self.places = {}
        for items in self.objects.values():
            for item in items:
                for name, everywhere, section in item.symbols:
                    if everywhere and item.holds(section) and (item.names[section], item.origin) in kept:
                        self.places.setdefault(name, (item, section))

    def place(self, item, symbol):
        name, everywhere, section = item.symbols[symbol]
        here = (item, section) if item.holds(section) else None
        return self.places.get(name, here) if everywhere else here

    def used_data(self, used, executed):
        """Names and origins of the constants and variables that executed instructions name, with what is reached from there,
        in that order. `executed` tells of an address whether an instruction at it or just before it was."""
        found = {}

        def follow(place):
            item, section = place
            name = item.names[section]
            if place in found or not DATA.match(name) or RULES.search(name) or item.sizes[section] > LARGEST:
                return
            found[place] = True
            for _, symbol in item.references[section]:
                further = self.place(item, symbol)
                if further:
                    follow(further)

        for begin, _, name, origin in used:
            for item in self.objects[origin]:
                for section in (index for index, own in enumerate(item.names) if own == name):
                    for at, symbol in item.references[section]:
                        place = self.place(item, symbol)
                        if place and executed(begin + at):
                            follow(place)
        return [(item.names[section], item.origin) for item, section in found]
