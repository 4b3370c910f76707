// The shell's own commands: those that run text, files and callbacks, and those that name
// variables.
#include <algorithm>

#include "languages/bash/characters.h"
#include "languages/bash/judge.h"
#include "languages/bash/rules.h"

namespace langsbx::languages::bash {
namespace {

bool is_option(std::string_view text) { return text.size() > 1 && text[0] == '-'; }

}  // namespace

void Judge::judge_eval(Arguments arguments) {
  // The command itself has been reported; what it would run is judged too.
  std::string text;
  for (const Argument& argument : arguments) {
    if (!text.empty()) text += ' ';
    text += argument.text;
  }
  if (!arguments.empty()) run_text(text, arguments[0].offset);
}

void Judge::judge_trap(Arguments arguments) {
  std::size_t i = 0;
  while (i < arguments.size() && is_option(arguments[i].text)) ++i;
  if (i >= arguments.size()) return;
  const Argument& action = arguments[i];
  if (action.text.empty() || action.text == "-" || i + 1 >= arguments.size()) return;
  if (!action.known()) return report("bash-dynamic-code"_rule, action);
  traps_.push_back({action.offset, action.offset + action.length});
  run_text(action.text, action.offset);
}

void Judge::judge_source(Arguments arguments) {
  std::size_t i = 1;
  while (i < arguments.size() && arguments[i].text == "--") ++i;
  if (i >= arguments.size()) return;
  const Argument& file = arguments[i];
  std::string_view path = file.text;
  if (!path.empty() && path[0] == kHere) {
    path.remove_prefix(1);
    while (path.starts_with('/')) path.remove_prefix(1);
  }
  const bool climbs = path.starts_with("../") || path.find("/../") != std::string_view::npos;
  if (path.empty() || has_marker(path) || file.pattern) {
    report("bash-source"_rule, file);
    return;
  }
  if (path[0] == '/' || climbs || sourced_.count(path) == 2) {
    report("bash-source"_rule, file);
    judge_path(file, PathUse::kRead);
    return;
  }
  LocalReference reference;
  reference.candidates.emplace_back(path);
  reference.offset = file.offset;
  reference.required = !policy_.allows(Capability::kDynamicCode);
  note_directory(LocalReference::Directory::kDecides, reference);
  findings_.reference(std::move(reference));
}

void Judge::judge_builtin_wrapper(std::string_view name, Arguments arguments, const Place& place) {
  std::size_t i = 0;
  bool looks_up = false;  // command -v: asks, runs nothing
  while (i < arguments.size() && is_option(arguments[i].text)) {
    const std::string_view text = arguments[i].text;
    ++i;
    if (text == "--") break;
    if (name == "command")
      looks_up = looks_up || text.find_first_of("vV") != std::string_view::npos;
    if (name == "exec" && text.ends_with('a')) ++i;
  }
  if (looks_up || i >= arguments.size()) return;
  Place inner = place;
  inner.external = true;
  ++inner.nesting;
  judge_arguments(arguments.subspan(i), inner);
}

void Judge::judge_declare(std::string_view name, Arguments arguments, const Place& place) {
  judge_listing(name, arguments, place);
  bool reference = false;  // -n: whoever writes the one writes the other
  for (const Argument& argument : arguments) {
    const std::string_view text = argument.text;
    const std::size_t equals = text.find('=');
    if (text.starts_with('-') || text.starts_with('+')) {
      reference = reference || (text[0] == '-' && text.find('n') != std::string_view::npos);
      continue;
    }
    if (reference && equals != std::string_view::npos) {
      judge_written(text.substr(equals + 1), argument);
      judge_secret_name(text.substr(equals + 1), argument);
    }
    std::string_view variable = text.substr(0, equals);
    if (variable.ends_with('+')) variable.remove_suffix(1);
    if (const std::size_t bracket = variable.find('['); bracket != std::string_view::npos) {
      judge_arithmetic_value(variable.substr(bracket), argument);
      variable = variable.substr(0, bracket);
    }
    if (equals == std::string_view::npos) continue;
    judge_variable(variable, text.substr(equals + 1), argument);
  }
}

// export -p, declare -x, set: every variable there is, tokens included.
void Judge::judge_listing(std::string_view name, Arguments arguments, const Place& place) {
  if (name == "local" || name == "readonly") return;
  for (const Argument& argument : arguments) {
    if (!argument.text.starts_with('-') && !argument.text.starts_with('+')) return;
    // Functions and attributes other than -x show nothing of the environment.
    if (argument.text.find_first_of("fFaAni") != std::string_view::npos || name == "set") return;
  }
  report("bash-environment-command"_rule, place.offset, static_cast<std::uint32_t>(name.size()),
         name);
}

// read, unset, getopts, wait -p: a name with a subscript is evaluated; let evaluates everything.
void Judge::judge_names(std::string_view name, Arguments arguments) {
  for (const Argument& argument : arguments) {
    if (name == "unset" && argument.text.starts_with("-") &&
        argument.text.find('f') != std::string_view::npos) {
      unsets_functions_ = true;
    }
    judge_arithmetic_value(argument.text, argument);
    if (name == "let") judge_arithmetic({argument.text, nullptr, argument.offset});
    judge_written(argument.text, argument);
  }
}

// A variable that gets a value nobody can see.
void Judge::judge_written(std::string_view name, const Argument& at) {
  judge_variable(name.substr(0, name.find('[')), std::string_view(&kUnknown, 1), at);
}

// jobs -x runs a command.
void Judge::judge_jobs(Arguments arguments, const Place& place) {
  if (arguments.empty() || arguments[0].text != "-x") return;
  Place inner = place;
  inner.external = true;
  ++inner.nesting;
  judge_arguments(arguments.subspan(1), inner);
}

void Judge::judge_printf(Arguments arguments) {
  if (arguments.size() < 2 || !arguments[0].text.starts_with("-v")) return;
  const Argument& name = arguments[0].text == "-v" ? arguments[1] : arguments[0];
  judge_arithmetic_value(name.text, name);
  judge_written(name.text, name);
}

void Judge::judge_enable(Arguments arguments) {
  for (const Argument& argument : arguments) {
    if (argument.text.starts_with('-') &&
        argument.text.find_first_of("fd") != std::string_view::npos) {
      report("bash-native-code"_rule, argument);
    }
    if (!argument.known()) report("bash-dynamic-code"_rule, argument);
  }
}

// mapfile -C, complete -C/-F, compgen -C, bind -x, hash -p, set -x with a computed PS4.
void Judge::judge_callbacks(std::string_view name, Arguments arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    const std::string_view text = argument.text;
    if (text == "--") return;
    if (!is_option(text)) {
      if (name == "set") return;
      if (name == "mapfile" || name == "readarray") judge_written(text, argument);
      continue;
    }
    const bool map = name == "mapfile" || name == "readarray";
    const std::string_view letters = map ? "C" : name == "hash" ? "pl" : name == "bind" ? "xf" : "";
    if (name == "set" &&
        (text.find('k') != std::string_view::npos ||
         (text == "-o" && i + 1 < arguments.size() && arguments[i + 1].text == "keyword"))) {
      report("bash-environment-hook"_rule, argument);
    }
    if (name == "compgen" || name == "complete" || name == "compopt") {
      judge_completion(arguments, i);
      continue;
    }
    if (letters.empty() || text.find_first_of(letters, 1) == std::string_view::npos) continue;
    if (name == "hash" && text.find('p') == std::string_view::npos) continue;
    report("bash-dynamic-code"_rule, argument);
    if (i + 1 < arguments.size() && letters.starts_with('C')) {
      run_text(arguments[i + 1].text, arguments[i + 1].offset);
    }
  }
}

// An option of compgen or complete; `i` moves over its value. -C and -F call, -W expands its words,
// -e and -v list the environment.
void Judge::judge_completion(Arguments arguments, std::size_t& i) {
  const Argument& option = arguments[i];
  const std::size_t action = option.text.find_first_of("ev", 1);
  if (action != std::string_view::npos &&
      action < std::min(option.text.size(), option.text.find_first_of("oAGWPSXFC", 1))) {
    report("bash-environment-command"_rule, option);
  }
  const std::size_t letter = option.text.find_first_of("oAGWPSXFC", 1);
  if (!option.known()) return report("bash-dynamic-code"_rule, option);
  if (letter == std::string_view::npos) return;
  const bool calls = option.text[letter] == 'C' || option.text[letter] == 'F';
  if (calls) report("bash-dynamic-code"_rule, option);
  Argument value = option;
  value.text = option.text.substr(letter + 1);
  if (value.text.empty() && i + 1 < arguments.size()) value = arguments[++i];
  if (calls) run_text(value.text, value.offset);
  const bool listing =
      option.text[letter] == 'A' && (value.text == "export" || value.text == "variable" ||
                                     value.text == "arrayvar" || !value.known());
  if (listing) report("bash-environment-command"_rule, value);
  if (option.text[letter] == 'W' && (value.text.find("$(") != std::string_view::npos ||
                                     value.text.find('`') != std::string_view::npos ||
                                     value.text.find("${") != std::string_view::npos)) {
    report("bash-dynamic-code"_rule, value);
  }
}

// cd somewhere else makes every relative path that follows stand there.
void Judge::judge_directory(Arguments arguments) {
  note_move(arguments);
  bool any = false;
  for (const Argument& argument : arguments) {
    if (argument.text == "-" || (is_option(argument.text) && !any)) {
      any = any || argument.text == "-";
      continue;
    }
    any = true;
    if (argument.text.starts_with('+')) continue;
    judge_path(argument, PathUse::kRead);
  }
}

// [ and test: -v evaluates a subscript, -eq and its kin evaluate both sides in [[ only.
void Judge::judge_test(std::string_view, Arguments arguments) {
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    if (arguments[i].text == "-v" || arguments[i].text == "-R") {
      judge_arithmetic_value(arguments[i + 1].text, arguments[i + 1]);
    }
  }
}

}  // namespace langsbx::languages::bash
