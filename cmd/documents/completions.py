"""Completions for bash, zsh and fish."""

FILE_WORDS = ("FILE", "DIR", "PATH", "SOCKET")
CLIENTS = "docker containerd crio podman kubernetes"
KNOWN = {"format": "table json", "log-format": "text json", "log-level": "error warning info debug",
         "cgroup-manager": "cgroupfs systemd disabled", "rootless": "true false auto", "preset": "default strict", "for": CLIENTS}


def choices(option):
    """Words for an option's value; empty when files or anything may stand there."""
    if "|" in option.value and not any(letter in option.value for letter in "[:<"):
        return option.value.split("|")
    return KNOWN.get(option.long, "").split()


def wants_files(option):
    return any(word in option.value for word in FILE_WORDS)


def takes_id(page):
    return page.arguments.startswith(("<container-id>", "<id>", "[container-id]"))


def words(page):
    return " ".join(f"--{one.long}" + (f" -{one.short}" if one.short else "") for one in page.options)


def value_cases(page):
    """bash: what may stand behind an option that takes a value."""
    lines = []
    for one in page.options:
        if not one.value:
            continue
        names = f"--{one.long}" + (f"|-{one.short}" if one.short else "")
        if choices(one):
            act = f"COMPREPLY=($(compgen -W '{' '.join(choices(one))}' -- \"$word\"))"
        elif wants_files(one):
            act = "COMPREPLY=($(compgen -f -- \"$word\"))"
        else:
            act = ":"
        lines.append(f"      {page.name}:{names.replace('|', f'|{page.name}:')}) {act}; return ;;")
    return lines


def bash(top, pages):
    with_value = " ".join(f"--{one.long}" for one in top.options if one.value)
    lines = ["# bash completion of langsbx; generated from its option tables.", "_langsbx() {",
             "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=langsbx i",
             f"  local with_value=' {with_value} '", "  for ((i = 1; i < COMP_CWORD; i++)); do", "    case ${COMP_WORDS[i]} in",
             "      -*) [[ $with_value == *\" ${COMP_WORDS[i]} \"* ]] && ((i++)) ;;",
             "      *) command=${COMP_WORDS[i]}; break ;;", "    esac", "  done", "  case $command:$before in"]
    for page in (top, *pages):
        lines += value_cases(page)
    lines += ["  esac", "  case $command in"]
    commands = " ".join(page.name for page in pages)
    lines.append(f"    langsbx) COMPREPLY=($(compgen -W '{words(top)} {commands}' -- \"$word\")) ;;")
    for page in pages:
        ids = "$(langsbx list -q 2>/dev/null)" if takes_id(page) else ""
        rest = f"$(compgen -W \"{ids}\" -- \"$word\")" if ids else "$(compgen -f -- \"$word\")"
        lines += [f"    {page.name}) if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '{words(page)}' -- \"$word\"))",
                  f"      else COMPREPLY=({rest}); fi ;;"]
    return "\n".join([*lines, "  esac", "}", "complete -F _langsbx langsbx"]) + "\n"


def zsh_text(text):
    for letter in "[]:'":
        text = text.replace(letter, " ")
    return " ".join(text.split())


def zsh_option(one):
    value = ""
    if one.value:
        action = f"({' '.join(choices(one))})" if choices(one) else "_files" if wants_files(one) else " "
        value = f":{zsh_text(one.value).lower()}:{action}"
    names = [f"--{one.long}"] + ([f"-{one.short}"] if one.short else [])
    return [f"'{name}[{zsh_text(one.text)}]{value}'" for name in names]


def zsh(top, pages):
    lines = ["#compdef langsbx", "# zsh completion of langsbx; generated from its option tables.", "",
             "_langsbx_ids() { local -a ids; ids=(${(f)\"$(langsbx list -q 2>/dev/null)\"}); _describe container ids }", "",
             "_langsbx() {", "  local context state line", "  local -a commands", "  typeset -A opt_args", "  commands=("]
    lines += [f"    '{page.name}:{zsh_text(page.summary)}'" for page in pages]
    lines += ["  )", "  _arguments -C \\"]
    lines += [f"    {text} \\" for one in top.options for text in zsh_option(one)]
    lines += ["    '1:command:->command' '*::argument:->argument'", "  case $state in",
              "    command) _describe command commands ;;", "    argument)", "      case $line[1] in"]
    for page in pages:
        lines.append(f"        {page.name}) _arguments \\")
        lines += [f"          {text} \\" for one in page.options for text in zsh_option(one)]
        lines.append("          '*:argument:" + ("_langsbx_ids" if takes_id(page) else "_files") + "' ;;")
    return "\n".join([*lines, "      esac ;;", "  esac", "}", "", "_langsbx \"$@\""]) + "\n"


def fish_text(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_option(one, condition):
    line = f"complete -c langsbx -n {condition} -l {one.long}" + (f" -s {one.short}" if one.short else "")
    if choices(one):
        line += f" -x -a {fish_text(' '.join(choices(one)))}"
    elif one.value:
        line += " -r" if wants_files(one) else " -x"
    return f"{line} -d {fish_text(one.text)}"


def fish(top, pages):
    lines = ["# fish completion of langsbx; generated from its option tables.", "complete -c langsbx -f"]
    lines += [fish_option(one, "__fish_use_subcommand") for one in top.options]
    for page in pages:
        lines.append(f"complete -c langsbx -n __fish_use_subcommand -a {page.name} -d {fish_text(page.summary)}")
        condition = f"'__fish_seen_subcommand_from {page.name}'"
        lines += [fish_option(one, condition) for one in page.options]
        if takes_id(page):
            lines.append(f"complete -c langsbx -n {condition} -a '(langsbx list -q 2>/dev/null)'")
        else:
            lines.append(f"complete -c langsbx -n {condition} -F")
    return "\n".join(lines) + "\n"
