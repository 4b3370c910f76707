// The options of one command line: declared, parsed, listed for --help.
//
// By hand, because a general library costs a start a fifth of its instructions, and because what is
// accepted are Go's spellings, in which clients call a runtime.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::cmd {

enum class Positionals : std::uint8_t {
  kAnywhere,   // options may stand behind them: `kill ID --all`
  kEndOptions  // the first one ends the options: `exec ID ls --all`
};

struct Parsed {
  bool help = false;
  std::vector<std::string> positionals;
};

// Accepted spellings: --name=value, --name value, -name value (as Go's flags), -n value, -nvalue,
// -n=value, --flag=true|false, and -ab for two flags. A value is the next argument whatever it
// looks like; the last of several counts. Nothing behind "=" is no value.
class OptionTable {
 public:
  OptionTable() { declared_.reserve(32); }
  OptionTable(const OptionTable&) = delete;
  OptionTable& operator=(const OptionTable&) = delete;

  // `names` is "long" or "long,l", a literal as all texts; targets must outlive parse().
  void flag(const char* names, bool* target, const char* help);
  void text(const char* names, std::string* target, const char* value, const char* help);
  // What an empty value would turn off, or leave as it is by default, without a word.
  void filled(const char* names, std::string* target, const char* value, const char* help);
  void list(const char* names, std::vector<std::string>* target, const char* value,
            const char* help);
  void count(const char* names, int* target, const char* help);  // 0 or more
  void number(const char* names, std::optional<std::int64_t>* target, const char* help);

  // Errors as Go's flag package words them, because clients match "flag needs an argument".
  Result<Parsed> parse(std::span<const std::string> args, Positionals positionals);
  // One line an option, in the order of declaration.
  [[nodiscard]] std::string help() const;

 private:
  enum class Kind : std::uint8_t { kFlag, kText, kFilled, kList, kCount, kNumber };
  struct Declared {
    const char* names;  // "bundle,b"
    const char* value;  // "DIR"
    const char* help;
    void* target;
    Kind kind;
    bool given = false;
    [[nodiscard]] std::string_view long_name() const;
    [[nodiscard]] char letter() const;  // 0: none
    [[nodiscard]] std::string shown() const;
  };

  void declare(const char* names, const char* value, const char* help, void* target, Kind kind);
  Declared* find(std::string_view name);
  Declared* find(char letter);
  static Result<void> set(Declared& option, std::string_view value);
  static Result<void> set_flag(Declared& option, std::string_view value);
  static Result<void> set_number(Declared& option, std::string_view value);
  // One argument that starts with a dash; takes the next one as well where it is the value.
  Result<void> take(std::span<const std::string>& args);
  Result<void> take_letters(std::string_view letters, std::span<const std::string>& args);
  static Result<void> set_attached(Declared& option, std::string_view value);
  static Result<void> take_next(Declared& option, std::span<const std::string>& args);

  std::vector<Declared> declared_;
};

}  // namespace langsbx::cmd
