// What words stand for: quotes removed, and variables replaced by the constants they hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "languages/bash/syntax.h"

namespace langsbx::languages::bash {

// Bytes that no UTF-8 text holds mark what is not literal in a resolved text.
constexpr char kUnknown = '\xFF';  // any text
constexpr char kHome = '\xFE';     // the home directory
constexpr char kHere = '\xFC';     // the work directory or the script's own
constexpr char kUnset = '\xFB';    // a variable that nothing in the script sets: maybe empty
constexpr char kSplit = '\xFA';    // field separator

[[nodiscard]] constexpr bool is_marker(char c) { return static_cast<unsigned char>(c) >= 0xFA; }
[[nodiscard]] bool has_marker(std::string_view text);

// One word of a command line as the command will see it.
struct Argument {
  std::string_view text;  // may hold markers, never kSplit
  std::uint32_t offset = 0;
  std::uint32_t length = 0;  // of the source text, for findings
  bool pattern = false;      // unquoted glob characters or braces
  bool quoted = false;
  bool splits = false;  // may stand for any number of arguments

  [[nodiscard]] bool known() const { return !has_marker(text); }
};

class Values {
 public:
  explicit Values(Script& script) : script_(script) {}

  // Learns which variables hold what; again when the script has grown. True when it learnt
  // something new since the last time.
  bool learn();

  // Every value the text of `parts` can have, a bounded number; markers for what is not known.
  [[nodiscard]] std::vector<std::string> resolve(const Word& word);
  // The arguments a word becomes: split, braces expanded, alternatives one after the other.
  void resolve_into(const Word& word, std::vector<std::string>& texts);
  void expand(const Word& word, std::vector<Argument>& out);
  [[nodiscard]] const std::vector<std::string>& variable(std::string_view name);
  [[nodiscard]] bool sets_separator() const { return separator_; }

  // What learning and resolving cost so far: words, assignments and bytes looked at.
  [[nodiscard]] std::size_t steps() const { return steps_; }

  static constexpr std::size_t kMostValues = 8;

 private:
  struct Variable {
    std::vector<const Assignment*> assignments;
    std::vector<const Word*> words;  // of `for`, `declare name=word`
    std::vector<std::string> values;
    bool open = false;         // something else writes it
    std::uint32_t learnt = 0;  // when `values` was computed
    bool busy = false;
  };
  using Texts = std::vector<std::string>;

  void learn_command(const Command& command);
  void learn_arguments(const Word* name, std::string_view builtin);
  void learn_declaration(const Word& word);
  void learn_arithmetic(std::string_view text);
  Variable& slot(std::string_view name) { return variables_[name]; }
  void compute(Variable& variable);
  void add_word_values(Texts& values, const Word& word);
  void append_parts(Texts& texts, const Part* parts, bool quoted);
  void append_part(Texts& texts, const Part& part, bool quoted);
  Texts parameter_values(const Part& part, bool quoted);
  [[nodiscard]] static std::string_view special_value(std::string_view name);
  bool append_simple(Texts& texts, std::string_view name, bool quoted);
  void append_text(Texts& texts, std::string_view tail);
  Texts array_value(const Word* elements);
  void cross(Texts& texts, const Texts& more);
  static void collapse(Texts& texts);
  static void add_value(Texts& texts, std::string value);
  [[nodiscard]] static std::string substitution_value(std::string_view text);
  void push_constant(const Word& word, std::vector<Argument>& out);
  void push_arguments(const Word& word, std::string_view text, std::vector<Argument>& out);

  Script& script_;
  Texts scratch_;  // of expand()
  std::unordered_map<std::string_view, Variable> variables_;
  std::size_t learnt_commands_ = 0;
  std::size_t learnt_assignments_ = 0;
  std::size_t learnt_arithmetic_ = 0;
  std::size_t learnt_parameters_ = 0;
  std::size_t depth_ = 0;
  std::size_t steps_ = 0;
  std::uint32_t learnings_ = 1;
  bool wild_ = false;  // something may write any variable
  bool separator_ = false;
};

}  // namespace langsbx::languages::bash
