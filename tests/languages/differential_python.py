#!/usr/bin/env python3
"""Compares our Python scanner with CPython's own tokenize over a corpus.

Usage: differential_python.py [--most N] TOKEN_DUMP DIRECTORY...

Every name, number, string and operator must stand at the same place in both. A file that CPython
cannot tokenize (or compile) may be refused by ours; one that it can must not be, except for what
preflight refuses. Exit status 1 on any difference.
"""
import io
import pathlib
import re
import subprocess
import sys
import tokenize

KINDS = {tokenize.NAME: "name", tokenize.NUMBER: "number", tokenize.STRING: "string",
         tokenize.OP: "op"}
BATCH = 200
FSTRING = re.compile(rb"\\b[rR]?[fF][rR]?['\"]")


def expected(data):
    if sys.version_info >= (3, 12) and FSTRING.search(data):
        raise SyntaxError("its tokenizer opens f-strings up, the dump does not")
    starts, total = [], 0
    text = data.decode("utf-8")
    rows = text.split("\n")
    for row in rows:
        starts.append(total)
        total += len(row.encode("utf-8")) + 1
    out = []
    for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
        kind = KINDS.get(token.type)
        if kind is None:
            if token.type == tokenize.ERRORTOKEN and not token.string.isspace():
                raise SyntaxError("error token")
            continue
        row, column = token.start
        offset = starts[row - 1] + len(rows[row - 1][:column].encode("utf-8"))
        out.append(f"{kind} {offset} {len(token.string.encode('utf-8'))}")
    return out


def ours(dump, files):
    text = subprocess.run([dump, *map(str, files)], capture_output=True, text=True,
                          check=True).stdout
    result, current = {}, None
    for line in text.splitlines():
        if line.startswith("file "):
            current = result.setdefault(line[5:], [])
        else:
            current.append(line)
    return result


def arguments():
    """`[--most N] DUMP FOLDER|FILE...`: the program that dumps, and the files, at most N of them."""
    most = None
    if sys.argv[1] == "--most":
        most = int(sys.argv[2])
        del sys.argv[1:3]
    dump, *folders = sys.argv[1:]
    files = sorted(p for f in folders for p in ([pathlib.Path(f)] if f.endswith(".py") else
                                                pathlib.Path(f).rglob("*.py")) if p.is_file())
    if most is not None and len(files) > most:
        files = files[::len(files) // most + 1]
    return dump, files


def main():
    dump, files = arguments()
    compared = differ = skipped = 0
    for start in range(0, len(files), BATCH):
        batch = files[start:start + BATCH]
        tokens = ours(dump, batch)
        for path in batch:
            data = path.read_bytes()
            mine = tokens[str(path)]
            try:
                if data.startswith(b"\xef\xbb\xbf") or b"\0" in data:
                    raise SyntaxError("left to preflight")
                compile(data, str(path), "exec", dont_inherit=True)
                wanted = expected(data)
            except (SyntaxError, UnicodeDecodeError, ValueError, tokenize.TokenError,
                    IndentationError):
                skipped += 1
                continue
            compared += 1
            if mine == wanted:
                continue
            differ += 1
            first = next((i for i, (a, b) in enumerate(zip(mine, wanted)) if a != b),
                         min(len(mine), len(wanted)))
            print(f"{path}: token {first}: ours {mine[first:first + 1]}, "
                  f"CPython {wanted[first:first + 1]}")
    print(f"{compared} files compared, {differ} differ, {skipped} not Python of this version")
    return 1 if differ or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
