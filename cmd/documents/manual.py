"""langsbx.8, and a page for each command, in the man macros."""

FILES = (
    ("/run/langsbx", "state of containers; for users $XDG_RUNTIME_DIR/langsbx"),
    ("/etc/langsbx/config.yaml", "the administrator's settings: guard mode and profile, how much of Landlock there must be, who may loosen them"),
    ("/etc/langsbx/profiles", "guard profiles, looked up before the built-in ones"),
    ("/usr/share/langsbx", "the built-in guard and seccomp profiles, to read and copy"),
)
ENVIRONMENT = (
    ("XDG_RUNTIME_DIR", "where users without root keep state"),
    ("LANGSBX_PROFILE", "in a program's environment: the guard profile that it asks for"),
    ("NOTIFY_SOCKET, LISTEN_FDS", "passed on to the container as systemd's interfaces want it"),
)
STATUS = {
    "exec": "The program's own status; 255 when it could not be started.",
    "run": "The program's own status, 128 and the number of the signal that ended it; 1 when it could not be started.",
    "execute": "The program's own status, or 124: a time limit was passed; 125: langsbx itself failed; 126: the guard refused the program; "
               "127: there is no such file.",
}


def escaped(text):
    text = text.replace("\\", "\\\\").replace("-", "\\-").replace("\n", " ")
    return "\\&" + text if text[:1] in (".", "'") else text


def options(page):
    lines = []
    for one in page.options:
        value = f" \\fI{escaped(one.value)}\\fR" if one.value else ""
        names = f"\\fB\\-\\-{escaped(one.long)}\\fR{value}"
        if one.short:
            names += f", \\fB\\-{one.short}\\fR{value}"
        lines += [".TP", names, escaped(one.text)]
    return lines


def table(rows):
    return [line for name, text in rows for line in (".TP", f"\\fI{escaped(name)}\\fR", escaped(text))]


def head(name, version, summary):
    return [f'.TH {name.upper()} 8 "" "langsbx {version}" "System administration"', ".SH NAME",
            f"{escaped(name)} \\- {escaped(summary)}", ".SH SYNOPSIS"]


def program(top, commands, version):
    lines = head("langsbx", version, top.summary)
    lines += ["\\fBlangsbx\\fR [\\fIglobal options\\fR] \\fIcommand\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]", ".SH DESCRIPTION",
              "langsbx is an OCI container runtime with the command line of runc. It adds two layers of Landlock to a container",
              "and a guard that judges the source code of the program before it starts. The guard is a filter; the kernel layers",
              "are the boundary.", ".SH COMMANDS"]
    for page in commands:
        lines += [".TP", f"\\fB{escaped(page.name)}\\fR", f"{escaped(page.summary)}; see \\fBlangsbx\\-{escaped(page.name)}\\fR(8)"]
    lines += [".SH GLOBAL OPTIONS", *options(top), ".SH FILES", *table(FILES), ".SH ENVIRONMENT", *table(ENVIRONMENT),
              ".SH EXIT STATUS", "0, or 1 when a command failed. The pages of exec, run and execute tell theirs.", ".SH SEE ALSO"]
    lines.append(", ".join(f"\\fBlangsbx\\-{escaped(page.name)}\\fR(8)" for page in commands))
    return "\n".join(lines) + "\n"


def command(page, version):
    name = f"langsbx-{page.name}"
    lines = head(name, version, page.summary)
    words = f" {escaped(page.arguments)}" if page.arguments else ""
    lines += [f"\\fBlangsbx\\fR [\\fIglobal options\\fR] \\fB{escaped(page.name)}\\fR [\\fIoptions\\fR]{words}", ".SH OPTIONS",
              *options(page), ".SH EXIT STATUS", STATUS.get(page.name, "0, or not 0 when it failed."), ".SH SEE ALSO",
              "\\fBlangsbx\\fR(8)"]
    return "\n".join(lines) + "\n"


def pages(top, commands, version):
    made = {"langsbx": program(top, commands, version)}
    made.update({f"langsbx-{page.name}": command(page, version) for page in commands})
    return made
