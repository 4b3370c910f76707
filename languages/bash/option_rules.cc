// Which rule an argument of a command matches.
#include <cstddef>

#include "languages/bash/option_table.h"

namespace langsbx::languages::bash {
namespace {

bool long_option(std::string_view option, std::string_view argument, std::string_view& value) {
  const std::size_t equals = argument.find('=');
  const std::string_view name = argument.substr(0, equals);
  if (name.size() < 5 || !option.starts_with(name)) return false;
  value = equals == std::string_view::npos ? std::string_view() : argument.substr(equals + 1);
  return true;
}

// In a cluster such as -xzf; what follows the letter is its value.
bool short_option(std::string_view option, std::string_view argument, std::string_view& value) {
  if (option.size() > 2) return argument == option;
  const std::size_t at = argument.find(option[1], 1);
  if (at == std::string_view::npos) return false;
  // Behind a letter that takes a value the rest is that value (sort -k2 -t; tar -f).
  for (std::size_t i = 1; i < at; ++i) {
    const char c = argument[i];
    if ((c >= '0' && c <= '9') || c == '=' || c == 'f' || c == 't' || c == 'k' || c == 'I' ||
        c == 'd') {
      return false;
    }
  }
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
                short_option(rule.option, argument, value);
    }
    if (matches) return &rule;
  }
  return nullptr;
}

}  // namespace langsbx::languages::bash
