// The options of one command line: declared, parsed and listed by Boost.Program_options.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace boost::program_options {
class options_description;
class value_semantic;
}  // namespace boost::program_options

namespace langsbx::cmd {

enum class Positionals : std::uint8_t {
  kAnywhere,   // options may stand behind them: `kill ID --all`
  kEndOptions  // the first one ends the options: `exec ID ls --all`
};

struct Parsed {
  bool help = false;
  std::vector<std::string> positionals;
};

// Accepted are the spellings of go_spellings.h. The last of several values counts.
class OptionTable {
 public:
  OptionTable();
  OptionTable(const OptionTable&) = delete;
  OptionTable& operator=(const OptionTable&) = delete;
  ~OptionTable();

  // `names` is "long" or "long,l"; targets must outlive parse().
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
  void add(const char* names, const boost::program_options::value_semantic* semantic,
           const char* help);

  std::unique_ptr<boost::program_options::options_description> declared_;
};

}  // namespace langsbx::cmd
