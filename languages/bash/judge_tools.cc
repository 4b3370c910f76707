// Tools whose arguments hold more than file names: find, xargs, wrappers, shells, tar, dd.
#include <array>

#include "languages/bash/judge.h"
#include "languages/bash/rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::bash {
namespace {

// A command that runs another: its options with a value of their own, and how many operands stand
// before the command.
struct Wrapper {
  std::string_view name;
  std::string_view valued;  // letters
  std::size_t operands;
  std::string_view script;  // letter whose value is a script, or empty
};

constexpr Wrapper kWrappers[] = {
    {"timeout", "sk", 1, ""},
    {"nice", "n", 0, ""},
    {"time", "fo", 0, ""},
    {"stdbuf", "ioe", 0, ""},
    {"ionice", "cnpPu", 0, ""},
    {"env", "uCS", 0, "S"},
    {"sudo", "ugphCrtTUDR", 0, ""},
    {"doas", "uC", 0, ""},
    {"chroot", "", 1, ""},
    {"flock", "wEc", 1, "c"},
    {"taskset", "", 1, ""},
    {"chrt", "TPD", 1, ""},
    {"strace", "eoabpsEuPSOIX", 0, ""},
    {"su", "sgGc", 1, "c"},
    {"runuser", "ugGsc", 0, "c"},
    {"script", "cEIOBToml", 1, "c"},
    {"sg", "c", 1, "c"},
    {"unshare", "SGRw", 0, ""},
    {"nsenter", "tSGW", 0, ""},
    {"setpriv", "", 0, ""},
    {"prlimit", "po", 0, ""},
    {"capsh", "", 0, ""},
    {"gdb", "x", 0, ""},
    {"valgrind", "", 0, ""},
};

const Wrapper& wrapper_of(std::string_view name) {
  static constexpr Wrapper kPlain{"", "", 0, ""};
  for (const Wrapper& wrapper : kWrappers) {
    if (wrapper.name == name) return wrapper;
  }
  return kPlain;
}

// The file or folder in an option of tar: --directory=x, -Cx, -xfx.
std::string_view attached_path(std::string_view option) {
  const std::size_t at =
      option.starts_with("--") ? option.find('=') : option.find_first_of("fCTXg", 1);
  return at == std::string_view::npos ? std::string_view() : option.substr(at + 1);
}

bool is_assignment(std::string_view text) {
  const std::size_t equals = text.find('=');
  return equals != std::string_view::npos && equals > 0 && text.find('/') > equals;
}

}  // namespace

// find: -exec and its kin run a command, some actions write or delete.
void Judge::judge_find(Arguments arguments, const Place& place) {
  static constexpr auto kRuns = text_list("-exec", "-execdir", "-ok", "-okdir");
  static constexpr auto kWrites = text_list("-fprint", "-fprint0", "-fprintf", "-fls");
  static constexpr auto kReads = text_list("-anewer", "-cnewer", "-samefile", "-files0-from");
  // Tests that leave everything in.
  static constexpr auto kFree =
      text_list("-type", "-depth", "-d", "-xdev", "-mount", "-maxdepth", "-mindepth", "-print",
                "-print0", "-delete", "-exec", "-execdir");
  bool expression = false;
  bool selective = false;
  bool runs = false;
  std::size_t starts = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    const std::string_view text = argument.text;
    selective =
        selective || text == "!" || text == "(" ||
        (text.size() > 2 && text[0] == '-' && !kFree.contains(text) && !text.starts_with("-O"));
    if (kRuns.contains(text)) {
      i = judge_found(arguments, i + 1, place, selective ? Arguments() : arguments.first(starts));
      expression = runs = true;
    } else if (text == "-delete") {
      if (!policy_.allows(Capability::kFilesDelete)) {
        report("bash-file-command"_rule, Capability::kFilesDelete, argument.offset, argument.length,
               text);
      }
      if (!selective) judge_roots(arguments.first(starts));
      expression = true;
    } else if (kWrites.contains(text) && i + 1 < arguments.size()) {
      judge_path(arguments[++i], PathUse::kWrite);
    } else if ((kReads.contains(text) || text.starts_with("-newer")) && i + 1 < arguments.size()) {
      judge_path(arguments[++i], PathUse::kRead);
    } else if ((text == ";" || text == "{}") && !runs) {
      // The end of an action that nobody saw begin.
      report("bash-dynamic-command"_rule, argument);
    } else if (text == "-L" || text == "-P" || text == "-H" || text.starts_with("-O")) {
      // Stand before the places to start from.
    } else if (text.starts_with('-') || text == "(" || text == "!") {
      expression = true;
    } else if (!expression) {
      if (argument.splits && place.nesting > 0) report("bash-dynamic-command"_rule, argument);
      judge_path(argument, PathUse::kList);
      starts = i + 1;
    }
  }
}

// A command that find runs, from `begin` on; where it ends. `places`: all below them is given to
// it.
std::size_t Judge::judge_found(Arguments arguments, std::size_t begin, const Place& place,
                               Arguments places) {
  std::size_t end = begin;
  while (end < arguments.size() && arguments[end].text != ";" &&
         !(arguments[end].text == "+" && arguments[end - 1].text == "{}")) {
    ++end;
  }
  Place inner = place;
  inner.external = true;
  ++inner.nesting;
  const Arguments line = arguments.subspan(begin, end - begin);
  if (line.empty()) return end;
  if (line[0].text.find("{}") != std::string_view::npos) {
    report("bash-dynamic-command"_rule, line[0]);
    return end;
  }
  judge_arguments(line, inner);
  const CommandInfo* info = find_command(line[0].text);
  if (info != nullptr && info->handler == Handler::kDeletes) judge_roots(places);
  return end;
}

// All below these goes.
void Judge::judge_roots(Arguments places) {
  for (const Argument& place : places) {
    const std::array<Argument, 2> line{Argument{"find"}, place};
    if (!place.text.starts_with('-')) judge_root(line);
  }
}

void Judge::judge_xargs(Arguments arguments, const Place& place) {
  std::size_t i = 0;
  std::string_view replaced;
  for (; i < arguments.size(); ++i) {
    const std::string_view text = arguments[i].text;
    if (text.size() < 2 || text[0] != '-') break;
    if (text == "--") {
      ++i;
      break;
    }
    if (text.starts_with("--")) {
      const bool own = text == "--delimiter" || text == "--max-args" || text == "--max-procs" ||
                       text == "--arg-file" || text == "--max-chars" || text == "--max-lines" ||
                       text == "--process-slot-var";
      if (own) ++i;
      if (text.starts_with("--replace")) replaced = text.size() > 10 ? text.substr(10) : "{}";
      if (text.starts_with("--arg-file="))
        judge_path_text(text.substr(11), arguments[i], PathUse::kRead);
      continue;
    }
    const std::size_t letter = text.find_first_of("IEdLnPsaJ", 1);
    if (letter == std::string_view::npos) continue;
    const bool separate = letter + 1 == text.size();
    const std::string_view value = !separate                  ? text.substr(letter + 1)
                                   : i + 1 < arguments.size() ? arguments[i + 1].text
                                                              : std::string_view();
    if (text[letter] == 'I' || text[letter] == 'J') replaced = value;
    if (text[letter] == 'a') judge_path_text(value, arguments[i], PathUse::kRead);
    if (separate) ++i;
  }
  if (i >= arguments.size()) return;
  const Argument& head = arguments[i];
  if (!replaced.empty() && head.text.find(replaced) != std::string_view::npos) {
    return report("bash-dynamic-command"_rule, head);
  }
  Place inner = place;
  inner.external = true;
  inner.nesting += 1;
  // What an xargs around this one adds says all that there is to add: no copy a level.
  if (arguments.back().splits && arguments.back().text == kUnknownText) {
    return judge_arguments(arguments.subspan(i), inner);
  }
  std::vector<Argument> line(arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
  Argument more = head;
  more.text = kUnknownText;
  more.splits = true;
  line.push_back(more);
  judge_arguments(line, inner);
}

void Judge::judge_wrapper(std::string_view name, Arguments arguments, const Place& place) {
  const Wrapper& wrapper = wrapper_of(name);
  std::size_t i = 0;
  std::size_t operands = wrapper.operands;
  bool script = false;
  for (; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    const std::string_view text = argument.text;
    if (text == "--") {
      ++i;
      break;
    }
    if (is_assignment(text) && (name == "env" || name == "sudo" || name == "doas")) {
      judge_variable(text.substr(0, text.find('=')), text.substr(text.find('=') + 1), argument);
      continue;
    }
    if (text.size() > 1 && text[0] == '-') {
      if (judge_option(name, arguments, i)) continue;
      std::size_t letter =
          text.starts_with("--") ? std::string_view::npos : text.find_first_of(wrapper.valued, 1);
      if (text == "--split-string" || text.starts_with("--split-string=") || text == "--command" ||
          text.starts_with("--command=")) {
        const std::size_t equals = text.find('=');
        script = true;
        if (equals != std::string_view::npos) {
          run_text(text.substr(equals + 1), argument.offset);
        } else if (i + 1 < arguments.size()) {
          run_text(arguments[++i].text, argument.offset);
        }
        continue;
      }
      if (letter == std::string_view::npos) continue;
      const bool separate = letter + 1 == text.size();
      const std::string_view value = !separate                  ? text.substr(letter + 1)
                                     : i + 1 < arguments.size() ? arguments[i + 1].text
                                                                : std::string_view();
      if (wrapper.script.find(text[letter]) != std::string_view::npos) {
        script = true;
        run_text(value, argument.offset);
      }
      if (separate) ++i;
      continue;
    }
    if (operands == 0) break;
    --operands;
  }
  if (script) return;
  if (i >= arguments.size()) return judge_rest(arguments);
  Place inner = place;
  inner.external = true;
  ++inner.nesting;
  judge_arguments(arguments.subspan(i), inner);
}

// A wrapper whose own arguments name no program gets it from what xargs or find adds: the last
// argument stands for any number of them.
void Judge::judge_rest(Arguments arguments) {
  if (arguments.empty()) return;
  const Argument& last = arguments.back();
  if ((last.splits && last.text == kUnknownText) || last.text == "{}") {
    report("bash-dynamic-command"_rule, last);
  }
}

// A shell with -c and literal text: the text is judged as well.
void Judge::judge_shell(Arguments arguments, const Place&) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view text = arguments[i].text;
    if (text.size() < 2 || (text[0] != '-' && text[0] != '+')) {
      judge_path(arguments[i], PathUse::kRead);
      return;
    }
    if (text.starts_with("--") || text.find('c') == std::string_view::npos) {
      if (text == "-o" || text == "-O" || text == "--rcfile" || text == "--init-file") ++i;
      continue;
    }
    if (i + 1 < arguments.size()) {
      const Argument& code = arguments[i + 1];
      if (code.known()) {
        run_text(code.text, code.offset);
      } else {
        report("bash-dynamic-code"_rule, code);
      }
    }
    return;
  }
}

void Judge::judge_copy(std::string_view name, Arguments arguments) {
  std::vector<Argument> operands;
  bool target = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    const std::string_view text = argument.text;
    if (text.size() < 2 || text[0] != '-') {
      operands.push_back(argument);
    } else {
      std::string_view value;
      const OptionRule* rule = match_option(name, text, value);
      target = target || (rule != nullptr && rule->effect == OptionEffect::kWrites);
      judge_option(name, arguments, i);
    }
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    // One word may have several values.
    const bool last = operands[i].offset == operands.back().offset && !target;
    const bool moves = name == "mv";
    judge_path(operands[i], last || moves ? PathUse::kWrite : PathUse::kRead);
    if (moves && !last) {
      const std::array<Argument, 3> line{Argument{"mv"}, Argument{"-r"}, operands[i]};
      judge_root(line);
    }
  }
}

void Judge::judge_dd(Arguments arguments) {
  for (const Argument& argument : arguments) {
    if (argument.text.starts_with("of=")) {
      judge_path_text(argument.text.substr(3), argument, PathUse::kWrite);
    } else if (argument.text.starts_with("if=")) {
      judge_path_text(argument.text.substr(3), argument, PathUse::kRead);
    }
  }
}

void Judge::judge_tar(Arguments arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    if (i == 0 && !argument.text.empty() && argument.text[0] != '-' &&
        argument.text.find('/') == std::string_view::npos) {
      // Old style: letters without a dash.
      if (argument.text.find_first_of("IFP") != std::string_view::npos &&
          argument.text.find('.') == std::string_view::npos) {
        report("bash-spawn-option"_rule, argument);
      }
      continue;
    }
    std::string_view path = argument.text;
    if (path.size() > 1 && path[0] == '-') {
      if (judge_option("tar", arguments, i)) continue;
      path = attached_path(path);
    }
    judge_path_text(path, argument, PathUse::kWrite);
    // host:file is read and written over rsh.
    const std::size_t colon = path.find(':');
    if (colon != std::string_view::npos && colon < path.find('/') && colon > 0) {
      report("bash-spawn-option"_rule, argument);
    }
  }
}

void Judge::judge_chmod(std::string_view name, Arguments arguments) {
  std::size_t operand = 0;
  for (const Argument& argument : arguments.subspan(1)) {
    if (argument.text.starts_with('-') && argument.text.size() > 1) {
      if (argument.text.starts_with("--reference=")) {
        judge_path_text(argument.text.substr(12), argument, PathUse::kRead);
        continue;
      }
      // chmod -x file: a mode that looks like an option.
      continue;
    }
    if (operand++ == 0) {
      if (name == "chmod" && special_mode(argument.text))
        report("bash-system-command"_rule, argument);
      continue;
    }
    judge_path(argument, PathUse::kWrite);
  }
  judge_root(arguments);
}

// nc -e, socat EXEC: hand a shell to whoever is at the other end.
void Judge::judge_connection(Arguments arguments) {
  for (const Argument& argument : arguments.subspan(1)) {
    const std::string_view text = argument.text;
    const bool option = text.size() > 1 && text[0] == '-' && !text.starts_with("--") &&
                        text != "-help" && text.find_first_of("ec") != std::string_view::npos &&
                        arguments[0].text != "socat";
    if (option || text.starts_with("--exec") || text.starts_with("--sh-exec") ||
        text.starts_with("EXEC:") || text.starts_with("exec:") || text.starts_with("SYSTEM:") ||
        text.starts_with("system:")) {
      report("bash-reverse-shell"_rule, argument);
    }
  }
}

}  // namespace langsbx::languages::bash
