"""Where a mistake could be made in a source file, and how the line reads with it."""
import re

# kind -> what a person would have done wrong
KINDS = {
    "check": "a check is left out",
    "operand": "one part of a condition is left out",
    "bound": "a bound is off by one",
    "swallow": "a failure is not passed on",
    "step": "a step is left out",
    "flag": "a flag is left out",
    "answer": "yes and no are swapped",
}
# Stands for the number in a template; no source holds it ("@" is Python's and Java's).
NUMBER = "\x01"
BOUNDS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
NO_CALL = ("if", "for", "while", "switch", "return", "TRY", "TRY_CONTEXT", "static_assert", "case", "sizeof")


class Site:
    """One possible mistake: the text from begin to end, and a template with NUMBER for its number."""

    def __init__(self, path, line, kind, span, template):
        self.path, self.line, self.kind, self.template = path, line, kind, template
        self.begin, self.end = span

    def written(self, number):
        return self.template.replace(NUMBER, str(number))

    def __str__(self):
        return f"{self.path}:{self.line}: {KINDS[self.kind]}"


def mask(text):
    """The text with strings, characters and comments blanked: what is left is code, at the same places."""
    pattern = re.compile(r'R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''
                         r"|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.DOTALL | re.MULTILINE)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def closing(code, opening):
    """The place of the bracket that closes the one at `opening`."""
    depth = 0
    for place in range(opening, len(code)):
        if code[place] in "([{":
            depth += 1
        elif code[place] in ")]}":
            depth -= 1
            if depth == 0:
                return place
    return None


def split(code, begin, end, words):
    """The pieces of code between top-level `words`, each as (begin, end), and the words found."""
    pieces, found, depth, start, place = [], [], 0, begin, begin
    while place < end:
        if code[place] in "([{":
            depth += 1
        elif code[place] in ")]}":
            depth -= 1
        word = next((w for w in words if depth == 0 and code.startswith(w, place)), None)
        if word is None:
            place += 1
            continue
        pieces.append((start, place))
        found.append(word)
        place = start = place + len(word)
    pieces.append((start, end))
    return pieces, found


def condition_sites(text, code, begin, end):
    """(kind, span, template) of what can be wrong inside a condition."""
    if split(code, begin, end, [" ? "])[1]:
        return
    for joined, without in ((" || ", "false"), (" && ", "true")):
        pieces, found = split(code, begin, end, [joined])
        if not found:
            continue
        for first, last in pieces:
            operand = text[first:last]
            yield "operand", (first, last), f"(LANGSBX_MUTANT({NUMBER}) ? {without} : static_cast<bool>({operand}))"
            yield from condition_sites(text, code, first, last)
        return
    pieces, found = split(code, begin, end, [" <= ", " >= ", " < ", " > "])
    if len(found) == 1:
        (a, b), (c, d) = pieces
        left, right = text[a:b], text[c:d]
        yield ("bound", (begin, end),
               f"(LANGSBX_MUTANT({NUMBER}) ? ({left} {BOUNDS[found[0].strip()]} {right}) : ({left}{found[0]}{right}))")
    stripped = code[begin:end].strip()
    if stripped.startswith("(") and closing(code, code.index("(", begin)) == begin + code[begin:end].rindex(")"):
        yield from condition_sites(text, code, code.index("(", begin) + 1, begin + code[begin:end].rindex(")"))


def if_sites(text, code):
    for match in re.finditer(r"\bif \(", code):
        opening = match.end() - 1
        end = closing(code, opening)
        if end is None:
            continue
        begin = split(code, opening + 1, end, ["; "])[0][-1][0]
        if re.search(r"[^=!<>]=[^=]", code[begin:end]):  # declares what it tests
            continue
        yield "check", (begin, end), f"LANGSBX_MUTANT({NUMBER}) ? false : static_cast<bool>({text[begin:end]})"
        yield from condition_sites(text, code, begin, end)


def expression_sites(text, code):
    """Conditions that are given back or kept."""
    for match in re.finditer(r"\breturn |\bconst bool \w+ = ", code):
        end = code.find(";", match.end())
        value = code[match.end():end]
        if end < 0 or "{" in value or "[" in value:
            continue
        if value in ("true", "false"):
            other = "false" if value == "true" else "true"
            yield "answer", (match.end(), end), f"LANGSBX_MUTANT({NUMBER}) ? {other} : {value}"
        elif " && " in value or " || " in value or re.search(r" [<>]=? ", value):
            yield from condition_sites(text, code, match.end(), end)


def statement_sites(text, code):
    for match in re.finditer(r"(?m)^[ ]+(?:\(void\))?([A-Za-z_][\w:.]*(?:->\w+)*)\(", code):
        opening = match.end() - 1
        end = closing(code, opening)
        before = code[:match.start()].rstrip()
        if end is None or code[end + 1:end + 2] != ";" or not before or before[-1] not in ";{})":
            continue
        begin = match.start() + len(match.group()) - len(match.group().lstrip())
        whole = text[begin:end + 2]
        if match.group(1) == "TRY":
            yield ("swallow", (begin, end + 2),
                   f"if (LANGSBX_MUTANT({NUMBER})) {{ (void)({text[opening + 1:end]}); }} else {{ {whole} }}")
        if match.group(1) in ("TRY", "TRY_CONTEXT") or match.group(1) not in NO_CALL:
            yield "step", (begin, end + 2), f"if (!LANGSBX_MUTANT({NUMBER})) {{ {whole} }}"


def flag_sites(text, code):
    for match in re.finditer(r" \| ((?:\w+::)*(?:[A-Z][A-Z0-9_]{2,}|k[A-Z]\w+))\b(?!\()", code):
        span = match.span(1)
        yield "flag", span, f"(LANGSBX_MUTANT({NUMBER}) ? 0 : {text[span[0]:span[1]]})"


def sites_of(path, text):
    """Every possible mistake of a file."""
    code = mask(text)
    for finder in (if_sites, expression_sites, statement_sites, flag_sites):
        for kind, span, template in finder(text, code):
            yield Site(path, code.count("\n", 0, span[0]) + 1, kind, span, template)


def written(text, numbered):
    """The file with its chosen mistakes, {number: site}, each behind its number."""
    for number, site in sorted(numbered.items(), key=lambda item: -item[1].begin):
        text = text[:site.begin] + site.written(number) + text[site.end:]
    return '#include "tests/gates/mutants/mutant.h"\n#line 1\n' + text
