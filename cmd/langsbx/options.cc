// Values by kind, Go's words for Boost's errors, the lines of --help.
#include "cmd/langsbx/options.h"

#include <algorithm>
#include <boost/lexical_cast/try_lexical_convert.hpp>
#include <boost/program_options.hpp>

#include "cmd/langsbx/go_spellings.h"

namespace po = boost::program_options;

namespace langsbx::cmd {

// What an option's value has to be; validate() is found by Boost. Unlike Boost's own types, each
// lets a later value replace an earlier one, as Go does.
struct Flag {
  bool value = false;
};
struct Text {
  std::string value;
};
struct FilledText {
  std::string value;
};
struct Count {
  int value = 0;
};
struct Number {
  std::int64_t value = 0;
};

using Words = std::vector<std::string>;

static void validate(boost::any& value, const Words& words, Flag* /*type*/, int /*long*/) {
  const std::string& word = words.back();
  const bool yes = word == "true" || word == "1";
  if (!yes && word != "false" && word != "0") throw po::invalid_bool_value(word);
  value = Flag{yes};
}

static void validate(boost::any& value, const Words& words, Text* /*type*/, int /*long*/) {
  value = Text{words.back()};
}

static void validate(boost::any& value, const Words& words, FilledText* /*type*/, int /*long*/) {
  if (words.back().empty()) {
    throw po::validation_error(po::validation_error::at_least_one_value_required);
  }
  value = FilledText{words.back()};
}

static void validate(boost::any& value, const Words& words, Count* /*type*/, int /*long*/) {
  Count count;
  if (!boost::conversion::try_lexical_convert(words.back(), count.value) || count.value < 0) {
    throw po::invalid_option_value(words.back());
  }
  value = count;
}

static void validate(boost::any& value, const Words& words, Number* /*type*/, int /*long*/) {
  Number number;
  if (!boost::conversion::try_lexical_convert(words.back(), number.value)) {
    throw po::invalid_option_value(words.back());
  }
  value = number;
}

namespace {

Error usage(const std::string& problem) { return make_error(ErrorKind::kInvalidInput, problem); }

// The last value that was given for an option.
std::string value_of(const std::vector<po::option>& options, const std::string& name) {
  const auto found = std::find_if(options.rbegin(), options.rend(),
                                  [&](const po::option& one) { return one.string_key == name; });
  return found == options.rend() ? std::string() : found->value.back();
}

Error invalid_value(const po::validation_error& error, const std::vector<po::option>& options) {
  const std::string name = error.get_option_name();
  const auto first = name.find_first_not_of('-');
  const std::string bare = first == std::string::npos ? name : name.substr(first);
  if (error.kind() == po::validation_error::at_least_one_value_required) {
    return usage("flag needs an argument: --" + bare);
  }
  const bool boolean = error.kind() == po::validation_error::invalid_bool_value;
  return usage(std::string("invalid ") + (boolean ? "boolean value \"" : "value \"") +
               value_of(options, bare) + "\" for flag -" + bare);
}

// "--bundle DIR, -b DIR"
std::string shown(const po::option_description& option) {
  const std::string suffix = is_flag(option) ? "" : " " + option.semantic()->name();
  const std::string letter =
      option.canonical_display_name(po::command_line_style::allow_dash_for_short);
  std::string text = "--" + option.long_name() + suffix;
  if (letter != option.long_name() && letter.size() == 2) text += ", " + letter + suffix;
  return text;
}

}  // namespace

OptionTable::OptionTable() : declared_(std::make_unique<po::options_description>()) {}
OptionTable::~OptionTable() = default;

void OptionTable::add(const char* names, const po::value_semantic* semantic, const char* help) {
  declared_->add_options()(names, semantic, help);
}

void OptionTable::flag(const char* names, bool* target, const char* help) {
  *target = false;
  const auto set = [target](const Flag& given) { *target = given.value; };
  add(names, po::value<Flag>()->implicit_value(Flag{true}, "true")->notifier(set), help);
}

void OptionTable::text(const char* names, std::string* target, const char* value,
                       const char* help) {
  const auto set = [target](const Text& given) { *target = given.value; };
  add(names, po::value<Text>()->value_name(value)->notifier(set), help);
}

void OptionTable::filled(const char* names, std::string* target, const char* value,
                         const char* help) {
  const auto set = [target](const FilledText& given) { *target = given.value; };
  add(names, po::value<FilledText>()->value_name(value)->notifier(set), help);
}

void OptionTable::list(const char* names, std::vector<std::string>* target, const char* value,
                       const char* help) {
  add(names, po::value<Words>(target)->value_name(value), help);
}

void OptionTable::count(const char* names, int* target, const char* help) {
  const auto set = [target](const Count& given) { *target = given.value; };
  add(names, po::value<Count>()->value_name("N")->notifier(set), help);
}

void OptionTable::number(const char* names, std::optional<std::int64_t>* target, const char* help) {
  const auto set = [target](const Number& given) { *target = given.value; };
  add(names, po::value<Number>()->value_name("N")->notifier(set), help);
}

Result<Parsed> OptionTable::parse(std::span<const std::string> args, Positionals positionals) {
  Parsed parsed;
  // Last, so that it ends the list.
  flag("help,h", &parsed.help, "show this help");
  po::parsed_options found(declared_.get());
  try {
    found = po::command_line_parser(Words(args.begin(), args.end()))
                .options(*declared_)
                .extra_style_parser(go_spellings(*declared_, positionals))
                .run();
    po::variables_map values;
    po::store(found, values);
    po::notify(values);
  } catch (const po::unknown_option& error) {
    return usage("flag provided but not defined: -" + error.get_option_name());
  } catch (const po::invalid_command_line_syntax& error) {
    return usage("flag needs an argument: --" + error.get_option_name());
  } catch (const po::validation_error& error) {
    return invalid_value(error, found.options);
  } catch (const po::error& error) {
    return usage(error.what());
  }
  for (const po::option& one : found.options) {
    if (one.string_key.empty()) parsed.positionals.push_back(one.value.front());
  }
  return parsed;
}

std::string OptionTable::help() const {
  std::size_t width = 0;
  for (const auto& one : declared_->options()) width = std::max(width, shown(*one).size());
  std::string text;
  for (const auto& one : declared_->options()) {
    const std::string names = shown(*one);
    text += "   " + names + std::string(width + 2 - names.size(), ' ') + one->description() + "\n";
  }
  return text;
}

}  // namespace langsbx::cmd
