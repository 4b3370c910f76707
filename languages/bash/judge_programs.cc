// Commands with a program or a pattern among their arguments: awk, sed, dc, grep.
#include <algorithm>

#include "languages/bash/characters.h"
#include "languages/bash/judge.h"
#include "languages/bash/program_text.h"
#include "languages/bash/rules.h"
#include "languages/environment.h"

namespace langsbx::languages::bash {
namespace {

bool unknown_only(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of(std::string_view("\xFF\xFB")) == std::string_view::npos;
}

// Where `env` or `$ENV` stands in a jq program, from `at` on; what is behind it goes to `rest`.
std::size_t jq_environment(std::string_view text, std::size_t at, std::string_view& rest) {
  for (; at + 3 <= text.size(); ++at) {
    const std::string_view word = text.substr(at, 3);
    const char before = at == 0 ? ' ' : text[at - 1];
    const bool found = (word == "env" && !is_name(before) && before != '.' && before != '$') ||
                       (word == "ENV" && before == '$');
    rest = text.substr(at + 3);
    if (found && (rest.empty() || !is_name(rest[0]))) return at;
  }
  return std::string_view::npos;
}

// Whether `text`, up to its '=', is the long option or a beginning of it.
bool abbreviates(std::string_view option, std::string_view text) {
  const std::string_view name = text.substr(0, text.find('='));
  return name.size() > 2 && option.starts_with(name);
}

}  // namespace

// jq's env and $ENV: the environment, or one variable of it.
void Judge::judge_jq_program(const Argument& program) {
  std::string_view rest;
  for (std::size_t at = jq_environment(program.text, 0, rest); at != std::string_view::npos;
       at = jq_environment(program.text, at + 3, rest)) {
    std::size_t length = 1;
    while (length < rest.size() && is_name(rest[length])) ++length;
    if (rest.size() < 2 || rest[0] != '.' || length == 1) {
      report("bash-environment-command"_rule, program);
    } else if (names_secret(rest.substr(1, length - 1)) &&
               !policy_.allows(Capability::kEnvironment)) {
      report("bash-secret-variable"_rule, program.offset, program.length,
             rest.substr(1, length - 1));
    }
  }
}

void Judge::program_text(std::string_view text, const Argument& at, bool awk) {
  using Kind = ProgramEffect::Kind;
  if (unknown_only(text)) return report("bash-dynamic-code"_rule, at);
  const std::vector<ProgramEffect> effects = awk ? awk_effects(text) : sed_effects(text);
  if (effects.size() > kMostEffects)
    report("bash-limit"_rule, at.offset, 1, "a program of too many parts");
  for (const ProgramEffect& effect : effects) {
    switch (effect.kind) {
      case Kind::kSpawns:
        report("bash-spawn-option"_rule, at.offset, at.length, effect.text);
        break;
      case Kind::kConnects:
        report("bash-network-redirection"_rule, at.offset, at.length, effect.text);
        break;
      case Kind::kReads:
        judge_path_text(script_.arena.copy(effect.text), at, PathUse::kRead);
        break;
      case Kind::kWrites:
        judge_path_text(script_.arena.copy(effect.text), at, PathUse::kWrite);
        break;
      case Kind::kWritesSomewhere:
        if (!policy_.allows(Capability::kFilesOutside)) {
          report("bash-file-command"_rule, at.offset, at.length, effect.text);
        }
        break;
      case Kind::kVariable:
        if (names_secret(effect.text) && !policy_.allows(Capability::kEnvironment)) {
          report("bash-secret-variable"_rule, at.offset, at.length, effect.text);
        }
        break;
      case Kind::kEnvironment:
        report("bash-environment-command"_rule, at.offset, at.length, effect.text);
        break;
      case Kind::kUnclear:
        report("bash-dynamic-code"_rule, at.offset, at.length, effect.text);
        break;
    }
  }
}

// A program that writes where a variable says: every path that it is given or holds may be it.
void Judge::judge_awk_paths(std::string_view program, const Argument& at, Arguments arguments) {
  const std::vector<ProgramEffect> effects = awk_effects(program);
  const bool somewhere =
      std::any_of(effects.begin(), effects.end(), [](const ProgramEffect& effect) {
        return effect.kind == ProgramEffect::Kind::kWritesSomewhere;
      });
  if (!somewhere) return;
  for (std::size_t quote = program.find("\"/"); quote != std::string_view::npos;
       quote = program.find("\"/", quote + 1)) {
    const std::string_view path =
        program.substr(quote + 1, program.find('"', quote + 1) - quote - 1);
    if (path.size() > 1) judge_path_text(script_.arena.copy(path), at, PathUse::kWrite);
  }
  for (const Argument& argument : arguments) {
    std::string_view text = argument.text;
    if (text.starts_with("-v")) text.remove_prefix(2);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || text.find('/') < equals) continue;
    const std::string_view value = text.substr(equals + 1);
    if (&argument != &at) judge_path_text(value, argument, PathUse::kWrite);
  }
}

void Judge::judge_awk(Arguments arguments) {
  bool program = false;
  bool options = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    const std::string_view text = argument.text;
    if (options && text == "--") {
      options = false;
    } else if (options && text.size() > 1 && text[0] == '-') {
      if (text == "-F" || text == "-v" || text == "--assign" || text == "--field-separator") {
        ++i;
      } else if (text == "-e" || text == "--source") {
        program = true;
        if (i + 1 < arguments.size()) program_text(arguments[i + 1].text, arguments[i + 1], true);
        ++i;
      } else if (text.starts_with("--source=")) {
        program = true;
        program_text(text.substr(9), argument, true);
      } else if (text.starts_with("-We") || (text == "-W" && i + 1 < arguments.size() &&
                                             arguments[i + 1].text.starts_with('e'))) {
        report("bash-dynamic-code"_rule, argument);  // mawk -W exec FILE
        program = true;
      } else if (text.starts_with("-F") || text.starts_with("-v") || text.starts_with("--re-") ||
                 text == "--posix" || text.starts_with("--assign=") ||
                 text.starts_with("--field-separator=") || text == "--csv" || text == "-n" ||
                 text == "-W" || text == "-S" || text == "--sandbox") {
        continue;
      } else {
        // -f, -i, -l, -E, -o, -p, -d: programs, libraries and files by name.
        report("bash-dynamic-code"_rule, argument);
        program = program || text.starts_with("-f") || text.starts_with("-E") ||
                  text.starts_with("--file") || text.starts_with("--exec");
        if (text.size() == 2 && i + 1 < arguments.size())
          judge_path(arguments[++i], PathUse::kRead);
      }
    } else if (!program) {
      program = true;
      program_text(text, argument, true);
      judge_awk_paths(text, argument, arguments);
    } else {
      const std::size_t equals = text.find('=');
      const bool assigns = equals != std::string_view::npos && text.find('/') > equals;
      if (!assigns) judge_path(argument, PathUse::kRead);
    }
  }
}

void Judge::judge_sed(Arguments arguments) {
  bool program = false;
  bool options = true;
  PathUse use = PathUse::kRead;
  std::string joined;  // several -e are lines of one program
  const Argument* first = nullptr;
  std::vector<const Argument*> files;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    const std::string_view text = argument.text;
    const auto add_program = [&](std::string_view piece) {
      program = true;
      if (first == nullptr) first = &argument;
      if (!joined.empty()) joined += '\n';
      joined += piece;
    };
    if (options && text == "--") {
      options = false;
    } else if (options && text.size() > 1 && text[0] == '-') {
      const bool is_long = text.starts_with("--");
      const std::size_t equals = text.find('=');
      if (is_long && abbreviates("--expression", text) && equals != std::string_view::npos) {
        add_program(text.substr(equals + 1));
      } else if ((is_long && abbreviates("--line-length", text) &&
                  equals == std::string_view::npos) ||
                 (!is_long && text.ends_with('l'))) {
        ++i;  // how long lines are
      } else if ((is_long && abbreviates("--expression", text)) ||
                 (!is_long && text.ends_with('e') && text.find('i') == std::string_view::npos)) {
        if (i + 1 < arguments.size()) add_program(arguments[++i].text);
      } else if (!is_long && text[1] == 'e') {
        add_program(text.substr(2));
      } else if ((is_long && abbreviates("--file", text)) ||
                 (!is_long && text.find('f') != std::string_view::npos && text[1] != 'i')) {
        report("bash-dynamic-code"_rule, argument);
        program = true;
        if (text == "-f" || (is_long && equals == std::string_view::npos)) ++i;
      } else if ((is_long && abbreviates("--in-place", text)) ||
                 (!is_long && text.find('i') != std::string_view::npos)) {
        use = PathUse::kWrite;
        // -i/elsewhere/*: the backup goes where the suffix says.
        const std::size_t suffix = is_long ? equals : text.find('i');
        if (suffix != std::string_view::npos && text.find('/', suffix) != std::string_view::npos) {
          judge_path_text(text.substr(suffix + 1), argument, PathUse::kWrite);
        }
      }
    } else if (!program) {
      add_program(text);
    } else {
      files.push_back(&argument);
    }
  }
  if (first != nullptr) program_text(script_.arena.copy(joined), *first, false);
  for (const Argument* file : files) judge_path(*file, use);
}

void Judge::judge_grep(std::string_view name, Arguments arguments) {
  std::size_t skip = 1;
  for (const Argument& argument : arguments) {
    const std::string_view text = argument.text;
    const bool pattern = text.starts_with("--regexp") || text.starts_with("--file") ||
                         (text.size() > 1 && text[0] == '-' && text[1] != '-' &&
                          text.find_first_of("ef") != std::string_view::npos);
    if (pattern && name != "jq") skip = text == "-e" || text == "--regexp" ? 1 : 0;
    if (name == "jq" && (text == "-f" || text.starts_with("--from-file"))) skip = 0;
  }
  if (name == "jq") {
    std::size_t at = 0;
    for (; at < arguments.size() && arguments[at].text.starts_with('-'); ++at) {
      const std::string_view option = arguments[at].text;
      if (option == "--arg" || option == "--argjson") at += 2;
      if (option == "--slurpfile" || option == "--rawfile" || option == "--argfile") at += 2;
      if (option == "--indent" || option == "-L") ++at;
    }
    if (at < arguments.size()) judge_jq_program(arguments[at]);
    // jq --arg name value: text.
    std::vector<Argument> kept;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string_view text = arguments[i].text;
      if (text == "--arg" || text == "--argjson") {
        i += 2;
      } else if (text == "--slurpfile" || text == "--rawfile" || text == "--argfile") {
        if (i + 2 < arguments.size()) judge_path(arguments[i + 2], PathUse::kRead);
        i += 2;
      } else {
        kept.push_back(arguments[i]);
      }
    }
    return judge_operands(name, kept, PathUse::kRead, skip);
  }
  judge_operands(name, arguments, PathUse::kRead, skip);
}

// dc: ! runs a command and ? runs a line of the input. Only a literal -e shows the program.
void Judge::judge_dc(Arguments arguments) {
  bool program = false;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view text = arguments[i].text;
    const bool apart = (text == "-e" || text == "--expression") && i + 1 < arguments.size();
    if (apart) ++i;
    const bool code = apart || text.starts_with("-e") || text.starts_with("--expression=");
    program = program || code || text == "--version" || text == "--help";
    const Argument& argument = arguments[i];
    const bool shown =
        code && argument.known() && argument.text.find_first_of("!?") == std::string_view::npos;
    if (!shown && !(text.starts_with("--") && program && !code))
      report("bash-spawn-option"_rule, argument);
  }
  if (!program) report("bash-spawn-option"_rule, arguments[0]);
}

}  // namespace langsbx::languages::bash
