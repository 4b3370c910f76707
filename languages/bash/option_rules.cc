// Which rule an argument of a command matches.
#include <cstddef>

#include "languages/bash/option_table.h"

namespace langsbx::languages::bash {
namespace {

bool long_option(std::string_view option, std::string_view argument, std::string_view& value) {
  const std::size_t equals = argument.find('=');
  const std::string_view name = argument.substr(0, equals);
  // Any abbreviation that no other option shares: the tools refuse the others themselves.
  if (name.size() < 3 || !option.starts_with(name)) return false;
  value = equals == std::string_view::npos ? std::string_view() : argument.substr(equals + 1);
  return true;
}

std::string_view letters_of(std::string_view command) {
  for (const ValuedLetters& valued : kValued) {
    if (valued.command == command) return valued.letters;
  }
  return {};
}

// In a cluster such as -xzf; what follows the letter is its value.
bool short_option(std::string_view command, std::string_view option, std::string_view argument,
                  std::string_view& value) {
  if (option.size() > 2) return argument == option;
  const std::size_t at = argument.find(option[1], 1);
  if (at == std::string_view::npos) return false;
  // Behind a letter that takes a value the rest is that value (sort -k2 -t; tar -f).
  const std::string_view before = argument.substr(1, at - 1);
  if (before.find_first_of(letters_of(command)) != std::string_view::npos) return false;
  value = argument.substr(at + 1);
  return true;
}

}  // namespace

const OptionRule* match_option(std::string_view command, std::string_view argument,
                               std::string_view& value) {
  if (command == "egrep" || command == "fgrep" || command == "zgrep") command = "grep";
  if (command == "bsdtar" || command == "gtar") command = "tar";
  for (const OptionRule& rule : kOptions) {
    if (rule.command != command) continue;
    const bool is_long = argument.starts_with("--");
    bool matches = false;
    if (rule.option[0] != '-') {
      matches = argument == rule.option;
    } else if (rule.option.starts_with("--")) {
      matches = is_long && long_option(rule.option, argument, value);
    } else {
      matches = !is_long && argument.size() > 1 && argument[0] == '-' &&
                short_option(command, rule.option, argument, value);
    }
    if (matches) return &rule;
  }
  return nullptr;
}

}  // namespace langsbx::languages::bash
