// The options of one command line: declared, parsed, listed for --help. Boost.Program_options
// stays behind this, with its exceptions.
#pragma once

#include <cstdint>
#include <memory>
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
// -n=value, --flag=true|false, and -ab for two flags.
class OptionTable {
 public:
  OptionTable();
  ~OptionTable();
  OptionTable(const OptionTable&) = delete;
  OptionTable& operator=(const OptionTable&) = delete;

  // `names` is "long" or "long,l"; targets must outlive parse().
  void flag(const char* names, bool* target, const char* help);
  void text(const char* names, std::string* target, const char* value, const char* help);
  void list(const char* names, std::vector<std::string>* target, const char* value,
            const char* help);
  void count(const char* names, int* target, const char* help);  // 0 or more
  void number(const char* names, std::optional<std::int64_t>* target, const char* help);

  // Errors as Go's flag package words them, because clients match "flag needs an argument".
  Result<Parsed> parse(std::span<const std::string> args, Positionals positionals);
  // One line an option, in the order of declaration.
  [[nodiscard]] std::string help() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace langsbx::cmd
