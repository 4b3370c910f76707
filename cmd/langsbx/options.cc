// Command-line options by Boost.Program_options.
#include "cmd/langsbx/options.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <functional>
#include <limits>
#include <list>

namespace langsbx::cmd {
namespace po = boost::program_options;
namespace {

// All of them are string literals.
struct Declared {
  const char* names;  // "bundle,b"
  const char* value;  // "DIR"
  const char* help;
  std::function<const po::value_semantic*()> semantic;
};

// A number arrives as text and is converted afterwards, for an error that says what is wrong.
struct PendingNumber {
  std::string name;
  std::string text;
  int* count = nullptr;
  std::optional<std::int64_t>* number = nullptr;
};

Error usage(const std::string& problem) { return make_error(ErrorKind::kInvalidInput, problem); }

std::string without_dashes(std::string name) {
  name.erase(0, std::min(name.find_first_not_of('-'), name.size()));
  return name;
}

bool is_option(const std::string& token) { return token.size() > 1 && token[0] == '-'; }

// Go takes -n=value, Boost would take "=value" for the value.
std::string normalised(const std::string& token) {
  const bool short_equals =
      token.size() > 2 && token[0] == '-' && token[1] != '-' && token[2] == '=';
  return short_equals ? token.substr(0, 2) + token.substr(3) : token;
}

bool takes_next_token(const po::options_description& options, const std::string& token) {
  if (token.find('=') != std::string::npos) return false;
  const std::string name = without_dashes(token);
  const po::option_description* found = options.find_nothrow(name, false);
  if (found == nullptr && token[1] != '-') {
    // "-n": by its letter; "-nvalue" brings its value along; "-an": the last letter decides.
    found = options.find_nothrow("-" + name.substr(name.size() - 1), false);
    const auto* first = options.find_nothrow("-" + name.substr(0, 1), false);
    if (first != nullptr && name.size() > 1 && first->semantic()->min_tokens() > 0) return false;
  }
  return found != nullptr && found->semantic()->min_tokens() > 0;
}

// "--flag=true" is "--flag" and "--flag=false" nothing, as with Go's flags; Boost knows neither.
Result<bool> expand_flag(const po::options_description& options, std::string& token) {
  const std::size_t equals = token.find('=');
  if (!is_option(token) || equals == std::string::npos) return true;
  const std::string name = without_dashes(token.substr(0, equals));
  const auto* found = options.find_nothrow(name, false);
  if (found == nullptr) found = options.find_nothrow("-" + name, false);
  if (found == nullptr || found->semantic()->max_tokens() > 0) return true;
  const std::string value = token.substr(equals + 1);
  token.resize(equals);
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  return usage("invalid boolean value \"" + value + "\" for flag -" + name);
}

// How many tokens belong to options, before the first positional or behind "--".
std::size_t options_length(const po::options_description& options,
                           std::span<const std::string> args) {
  std::size_t i = 0;
  while (i < args.size() && is_option(args[i]) && args[i] != "--")
    i += takes_next_token(options, args[i]) ? 2 : 1;
  return std::min(i, args.size());
}

Result<void> convert(const PendingNumber& pending) {
  if (pending.text.empty()) return {};
  std::int64_t value = 0;
  const char* const end = pending.text.data() + pending.text.size();
  const auto [stop, error] = std::from_chars(pending.text.data(), end, value);
  const bool fits =
      pending.count == nullptr || (value >= 0 && value <= std::numeric_limits<int>::max());
  if (error != std::errc{} || stop != end || !fits)
    return usage("invalid value \"" + pending.text + "\" for flag -" + pending.name);
  if (pending.count != nullptr)
    *pending.count = static_cast<int>(value);
  else
    *pending.number = value;
  return {};
}

std::string_view long_name(const char* names) {
  const std::string_view text(names);
  return text.substr(0, text.find(','));
}

// 0: there is none.
char short_name(const char* names) {
  const std::string_view text(names);
  const auto comma = text.find(',');
  return comma == std::string_view::npos ? '\0' : text[comma + 1];
}

// "--bundle DIR, -b DIR"
std::string shown(const Declared& declared) {
  const std::string suffix = *declared.value == '\0' ? "" : std::string(" ") + declared.value;
  std::string text = "--" + std::string(long_name(declared.names)) + suffix;
  const char letter = short_name(declared.names);
  if (letter != '\0') text += std::string(", -") + letter + suffix;
  return text;
}

// Whether an argument can mean this option: it is its long name, or has its letter somewhere.
bool may_be_meant(const char* names, std::span<const std::string> args) {
  const char letter = short_name(names);
  return std::any_of(args.begin(), args.end(), [&](const std::string& arg) {
    if (!is_option(arg)) return false;
    std::string_view text(arg);
    text.remove_prefix(std::min(text.find_first_not_of('-'), text.size()));
    if (letter != '\0' && text.find(letter) != std::string_view::npos) return true;
    return text.substr(0, text.find('=')) == long_name(names);
  });
}

}  // namespace

struct OptionTable::Parts {
  po::options_description options;
  std::vector<Declared> declared;
  std::list<PendingNumber> numbers;  // addresses stay
  bool help = false;

  void add(const char* names, const char* value, const char* help_text,
           std::function<const po::value_semantic*()> semantic) {
    declared.push_back({names, value, help_text, std::move(semantic)});
  }
  // Boost hears only of what can occur: each option costs it thousands of instructions.
  void declare(std::span<const std::string> args) {
    for (const Declared& one : declared) {
      if (may_be_meant(one.names, args)) options.add_options()(one.names, one.semantic());
    }
  }

  Result<Parsed> run(std::span<const std::string> args, Positionals positionals);
};

OptionTable::OptionTable() : parts_(std::make_unique<Parts>()) {}
OptionTable::~OptionTable() = default;

void OptionTable::flag(const char* names, bool* target, const char* help) {
  // As Boost's bool_switch does, also for a flag that Boost never hears of.
  *target = false;
  parts_->add(names, "", help, [target] { return po::bool_switch(target); });
}
void OptionTable::text(const char* names, std::string* target, const char* value,
                       const char* help) {
  parts_->add(names, value, help, [target] { return po::value<std::string>(target); });
}
void OptionTable::list(const char* names, std::vector<std::string>* target, const char* value,
                       const char* help) {
  parts_->add(names, value, help,
              [target] { return po::value<std::vector<std::string>>(target)->composing(); });
}
void OptionTable::count(const char* names, int* target, const char* help) {
  PendingNumber& pending = parts_->numbers.emplace_back();
  pending.name = long_name(names);
  pending.count = target;
  text(names, &pending.text, "N", help);
}
void OptionTable::number(const char* names, std::optional<std::int64_t>* target, const char* help) {
  PendingNumber& pending = parts_->numbers.emplace_back();
  pending.name = long_name(names);
  pending.number = target;
  text(names, &pending.text, "N", help);
}

Result<Parsed> OptionTable::Parts::run(std::span<const std::string> args, Positionals positionals) {
  Parsed parsed;
  std::span<const std::string> rest;
  if (positionals == Positionals::kEndOptions) {
    const std::size_t length = options_length(options, args);
    rest = args.subspan(length);
    args = args.first(length);
    if (!rest.empty() && rest[0] == "--") rest = rest.subspan(1);
  }
  std::vector<std::string> tokens;
  bool ended = false;
  for (const std::string& arg : args) {
    std::string token = arg;
    ended = ended || token == "--";
    if (!ended && !TRY(expand_flag(options, token))) continue;
    tokens.push_back(ended ? token : normalised(token));
  }
  using po::command_line_style::style_t;
  constexpr int kStyle =
      style_t::allow_long | style_t::long_allow_next | style_t::long_allow_adjacent |
      style_t::allow_short | style_t::allow_dash_for_short | style_t::short_allow_next |
      style_t::short_allow_adjacent | style_t::allow_sticky | style_t::allow_long_disguise;
  const auto result = po::command_line_parser(tokens).options(options).style(kStyle).run();
  po::variables_map values;
  // The last of several counts, as everywhere; Boost alone would refuse the repetition.
  po::parsed_options last(result.description, result.m_options_prefix);
  for (const auto& one : result.options) {
    if (one.string_key.empty()) {
      parsed.positionals.insert(parsed.positionals.end(), one.value.begin(), one.value.end());
      continue;
    }
    const auto* description = options.find_nothrow(one.string_key, false);
    const bool repeats = description != nullptr && description->semantic()->is_composing();
    if (!repeats)
      std::erase_if(last.options,
                    [&](const auto& other) { return other.string_key == one.string_key; });
    last.options.push_back(one);
  }
  po::store(last, values);
  po::notify(values);
  for (const PendingNumber& number : numbers) TRY(convert(number));
  parsed.positionals.insert(parsed.positionals.end(), rest.begin(), rest.end());
  parsed.help = help;
  return parsed;
}

Result<Parsed> OptionTable::parse(std::span<const std::string> args, Positionals positionals) {
  // Last, so that it ends the list.
  flag("help,h", &parts_->help, "show this help");
  try {
    parts_->declare(args);
    return parts_->run(args, positionals);
  } catch (const po::unknown_option& error) {
    return usage("flag provided but not defined: -" + without_dashes(error.get_option_name()));
  } catch (const po::invalid_command_line_syntax& error) {
    if (error.kind() == po::invalid_syntax::missing_parameter ||
        error.kind() == po::invalid_syntax::empty_adjacent_parameter)
      return usage("flag needs an argument: --" + without_dashes(error.get_option_name()));
    return usage(error.what());
  } catch (const std::exception& error) {
    return usage(error.what());
  }
}

std::string OptionTable::help() const {
  std::size_t width = 0;
  for (const Declared& one : parts_->declared) width = std::max(width, shown(one).size());
  std::string text;
  for (const Declared& one : parts_->declared) {
    const std::string names = shown(one);
    text += "   " + names + std::string(width + 2 - names.size(), ' ') + one.help + "\n";
  }
  return text;
}

}  // namespace langsbx::cmd
