// Command-line options as Go's flag package reads them, and letters together as getopt does.
#include "cmd/langsbx/options.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace langsbx::cmd {
namespace {

Error usage(const std::string& problem) { return make_error(ErrorKind::kInvalidInput, problem); }

Error not_defined(std::string_view name) {
  return usage("flag provided but not defined: -" + std::string(name));
}

Error needs_argument(std::string_view name) {
  return usage("flag needs an argument: --" + std::string(name));
}

bool is_option(std::string_view argument) { return argument.size() > 1 && argument[0] == '-'; }

std::string_view up_to_equals(std::string_view text) { return text.substr(0, text.find('=')); }

}  // namespace

std::string_view OptionTable::Declared::long_name() const {
  const std::string_view text(names);
  return text.substr(0, text.find(','));
}

char OptionTable::Declared::letter() const {
  const std::string_view text(names);
  const auto comma = text.find(',');
  return comma == std::string_view::npos ? '\0' : text[comma + 1];
}

// "--bundle DIR, -b DIR"
std::string OptionTable::Declared::shown() const {
  const std::string suffix = *value == '\0' ? "" : std::string(" ") + value;
  std::string text = "--" + std::string(long_name()) + suffix;
  if (letter() != '\0') text += std::string(", -") + letter() + suffix;
  return text;
}

void OptionTable::declare(const char* names, const char* value, const char* help, void* target,
                          Kind kind) {
  declared_.push_back({names, value, help, target, kind});
}

void OptionTable::flag(const char* names, bool* target, const char* help) {
  *target = false;
  declare(names, "", help, target, Kind::kFlag);
}
void OptionTable::text(const char* names, std::string* target, const char* value,
                       const char* help) {
  declare(names, value, help, target, Kind::kText);
}
void OptionTable::filled(const char* names, std::string* target, const char* value,
                         const char* help) {
  declare(names, value, help, target, Kind::kFilled);
}
void OptionTable::list(const char* names, std::vector<std::string>* target, const char* value,
                       const char* help) {
  declare(names, value, help, target, Kind::kList);
}
void OptionTable::count(const char* names, int* target, const char* help) {
  declare(names, "N", help, target, Kind::kCount);
}
void OptionTable::number(const char* names, std::optional<std::int64_t>* target, const char* help) {
  declare(names, "N", help, target, Kind::kNumber);
}

OptionTable::Declared* OptionTable::find(std::string_view name) {
  const auto found = std::find_if(declared_.begin(), declared_.end(),
                                  [&](const Declared& one) { return one.long_name() == name; });
  return found == declared_.end() ? nullptr : &*found;
}

OptionTable::Declared* OptionTable::find(char letter) {
  const auto found = std::find_if(declared_.begin(), declared_.end(),
                                  [&](const Declared& one) { return one.letter() == letter; });
  return found == declared_.end() || letter == '\0' ? nullptr : &*found;
}

Result<void> OptionTable::set_flag(Declared& option, std::string_view value) {
  const bool yes = value == "true" || value == "1";
  if (!yes && value != "false" && value != "0") {
    return usage("invalid boolean value \"" + std::string(value) + "\" for flag -" +
                 std::string(option.long_name()));
  }
  *static_cast<bool*>(option.target) = yes;
  return {};
}

Result<void> OptionTable::set_number(Declared& option, std::string_view value) {
  std::int64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  const bool fits =
      option.kind == Kind::kNumber || (number >= 0 && number <= std::numeric_limits<int>::max());
  if (error != std::errc{} || stop != end || !fits) {
    return usage("invalid value \"" + std::string(value) + "\" for flag -" +
                 std::string(option.long_name()));
  }
  if (option.kind == Kind::kCount) {
    *static_cast<int*>(option.target) = static_cast<int>(number);
  } else {
    *static_cast<std::optional<std::int64_t>*>(option.target) = number;
  }
  return {};
}

Result<void> OptionTable::set(Declared& option, std::string_view value) {
  const bool first = !option.given;
  option.given = true;
  if (option.kind == Kind::kFlag) return set_flag(option, value);
  if (option.kind == Kind::kFilled && value.empty()) return needs_argument(option.long_name());
  if (option.kind == Kind::kText || option.kind == Kind::kFilled) {
    *static_cast<std::string*>(option.target) = value;
    return {};
  }
  if (option.kind != Kind::kList) return set_number(option, value);
  auto& values = *static_cast<std::vector<std::string>*>(option.target);
  if (first) values.clear();
  values.emplace_back(value);
  return {};
}

Result<void> OptionTable::set_attached(Declared& option, std::string_view value) {
  if (value.empty() && option.kind != Kind::kFlag) return needs_argument(option.long_name());
  return set(option, value);
}

Result<void> OptionTable::take_next(Declared& option, std::span<const std::string>& args) {
  if (args.empty()) return needs_argument(option.long_name());
  const std::string& value = args.front();
  args = args.subspan(1);
  return set(option, value);
}

// -abc: two flags, and c may be a value's letter or, with "bc" for its value, a be one.
Result<void> OptionTable::take_letters(std::string_view letters,
                                       std::span<const std::string>& args) {
  const std::string_view name = up_to_equals(letters);
  while (!letters.empty()) {
    Declared* const option = find(letters[0]);
    if (option == nullptr) return not_defined(name);
    letters.remove_prefix(1);
    const bool equals = !letters.empty() && letters[0] == '=';
    if (equals) letters.remove_prefix(1);
    if (option->kind == Kind::kFlag && !equals) {
      TRY(set(*option, "true"));
      continue;
    }
    if (letters.empty() && !equals) return take_next(*option, args);
    return set_attached(*option, letters);
  }
  return {};
}

Result<void> OptionTable::take(std::span<const std::string>& args) {
  std::string_view text = args.front();
  args = args.subspan(1);
  const bool two_dashes = text[1] == '-';
  text.remove_prefix(two_dashes ? 2 : 1);
  const std::string_view name = up_to_equals(text);
  Declared* const option = find(name);
  if (option == nullptr) return two_dashes ? not_defined(name) : take_letters(text, args);
  if (name.size() < text.size()) return set_attached(*option, text.substr(name.size() + 1));
  if (option->kind == Kind::kFlag) return set(*option, "true");
  return take_next(*option, args);
}

Result<Parsed> OptionTable::parse(std::span<const std::string> args, Positionals positionals) {
  Parsed parsed;
  // Last, so that it ends the list.
  flag("help,h", &parsed.help, "show this help");
  bool options = true;
  while (!args.empty()) {
    if (options && args.front() == "--") {
      options = false;
      args = args.subspan(1);
    } else if (options && is_option(args.front())) {
      TRY(take(args));
    } else {
      if (positionals == Positionals::kEndOptions) options = false;
      parsed.positionals.push_back(args.front());
      args = args.subspan(1);
    }
  }
  return parsed;
}

std::string OptionTable::help() const {
  std::size_t width = 0;
  for (const Declared& one : declared_) width = std::max(width, one.shown().size());
  std::string text;
  for (const Declared& one : declared_) {
    const std::string names = one.shown();
    text += "   " + names + std::string(width + 2 - names.size(), ' ') + one.help + "\n";
  }
  return text;
}

}  // namespace langsbx::cmd
