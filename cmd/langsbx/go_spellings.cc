// Options as Go's flag package reads them, and letters together as getopt does.
#include "cmd/langsbx/go_spellings.h"

#include <boost/program_options/errors.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <string_view>

namespace langsbx::cmd {
namespace {

namespace po = boost::program_options;

class GoSpellings {
 public:
  GoSpellings(const po::options_description& declared, Positionals positionals)
      : declared_(&declared), positionals_(positionals) {}

  std::vector<po::option> operator()(std::vector<std::string>& args) {
    found_.clear();
    if (!ended_ && args.front() == "--") {
      ended_ = true;
      args.erase(args.begin());
    }
    if (args.empty()) return {};
    const std::string argument = args.front();
    args.erase(args.begin());
    const bool is_option = argument.size() > 1 && argument[0] == '-';
    if (ended_ || !is_option) {
      if (positionals_ == Positionals::kEndOptions) ended_ = true;
      put("", argument);
    } else {
      take(argument, args);
    }
    return found_;
  }

 private:
  void put(const std::string& name, const std::string& value) {
    found_.emplace_back(name, std::vector<std::string>{value});
    found_.back().original_tokens = {value};
  }

  void take(std::string_view argument, std::vector<std::string>& args) {
    const bool two_dashes = argument[1] == '-';
    argument.remove_prefix(two_dashes ? 2 : 1);
    const std::string name(argument.substr(0, argument.find('=')));
    const auto* const option = name.empty() ? nullptr : declared_->find_nothrow(name, false);
    if (option == nullptr) {
      if (two_dashes) throw po::unknown_option(name);
      take_letters(argument, name, args);
    } else if (name.size() < argument.size()) {
      put_attached(*option, argument.substr(name.size() + 1));
    } else {
      take_value(*option, args);
    }
  }

  // In "-abc" a and b are flags, and c is a flag too or takes the next argument. "-bc" is the same
  // as "-b c" when b takes a value.
  void take_letters(std::string_view letters, const std::string& name,
                    std::vector<std::string>& args) {
    while (!letters.empty()) {
      const auto* const option = declared_->find_nothrow(std::string("-") + letters.front(), false);
      if (option == nullptr) throw po::unknown_option(name);
      letters.remove_prefix(1);
      const bool equals = letters.starts_with('=');
      if (equals) letters.remove_prefix(1);
      const bool attached = equals || (!letters.empty() && !is_flag(*option));
      if (attached) return put_attached(*option, letters);
      take_value(*option, args);
    }
  }

  void put_attached(const po::option_description& option, std::string_view value) {
    if (value.empty() && !is_flag(option)) throw missing(option);
    put(option.long_name(), std::string(value));
  }

  void take_value(const po::option_description& option, std::vector<std::string>& args) {
    if (is_flag(option)) return put(option.long_name(), "true");
    if (args.empty()) throw missing(option);
    put(option.long_name(), args.front());
    args.erase(args.begin());
  }

  static po::invalid_command_line_syntax missing(const po::option_description& option) {
    return {po::invalid_command_line_syntax::missing_parameter, option.long_name()};
  }

  const po::options_description* declared_;
  Positionals positionals_;
  bool ended_ = false;
  std::vector<po::option> found_;
};

}  // namespace

bool is_flag(const po::option_description& option) { return option.semantic()->min_tokens() == 0; }

std::function<std::vector<po::option>(std::vector<std::string>&)> go_spellings(
    const po::options_description& declared, Positionals positionals) {
  return GoSpellings(declared, positionals);
}

}  // namespace langsbx::cmd
