// What words stand for: quotes removed, and variables replaced by the constants they hold.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "languages/bash/names.h"
#include "languages/bash/syntax.h"
#include "languages/bash/texts.h"

namespace langsbx::languages::bash {

// Bytes that no UTF-8 text holds mark what is not literal in a resolved text.
constexpr char kUnknown = '\xFF';  // any text
constexpr char kHome = '\xFE';     // the home directory
constexpr char kHere = '\xFC';     // the work directory or the script's own
constexpr char kUnset = '\xFB';    // a variable that nothing in the script sets: maybe empty
constexpr char kSplit = '\xFA';    // field separator

constexpr std::string_view kUnknownText{&kUnknown, 1};
constexpr std::string_view kUnsetText{&kUnset, 1};
constexpr std::string_view kHereText{&kHere, 1};
constexpr std::string_view kHomeText{&kHome, 1};
constexpr std::string_view kSplitText{&kSplit, 1};

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

// What a word can hold at most, told without putting its texts together.
enum Trait : std::uint8_t {
  kMayPath = 1,  // leads somewhere: '/', the home directory or ".."
  kMayCode = 2,  // a dollar or a backquote
  kEdgeDot = 4,  // begins or ends with a dot
  kMayBlank = 8,
  kMayFields = 16,  // more than one of an array's elements
  kMayDash = 32,
};

class Values {
 public:
  explicit Values(Script& script) : script_(script), variables_(script.arena) {}

  // Learns which variables hold what; again when the script has grown.
  void learn();
  // Whether a variable has been written since that had been asked for before; then no more.
  [[nodiscard]] bool take_stale() { return std::exchange(stale_, false); }

  // Every value the text of `word` can have, a bounded number; markers for what is not known. All
  // texts live as long as the script.
  [[nodiscard]] Texts resolve(const Word& word);
  // The arguments a word becomes: split, braces expanded, alternatives one after the other.
  void expand(const Word& word, std::vector<Argument>& out);
  // Commands by their index that run text, as far as their first word says so: found by learning.
  [[nodiscard]] const std::vector<std::uint32_t>& running_text() const { return running_text_; }
  [[nodiscard]] std::span<const std::string_view> variable(std::string_view name);
  // Every Trait that some value of `word` has; maybe more. Braces are not looked into.
  [[nodiscard]] std::uint8_t traits(const Word& word);
  [[nodiscard]] bool may_split(const Word& word);
  [[nodiscard]] std::uint8_t variable_traits(std::string_view name);
  [[nodiscard]] static std::uint8_t text_traits(std::string_view text);
  // Whether this reads a secret that the script was started with.
  [[nodiscard]] bool foreign_secret(const EnvironmentUse& use);
  [[nodiscard]] bool sets_separator() const { return separator_; }

  // What learning and resolving cost so far: words, assignments and bytes looked at.
  [[nodiscard]] std::size_t steps() const { return steps_ + variables_.steps(); }

  // Bytes of texts that may be copied to become longer: memory for as long as the script is judged.
  // Past it everything is unknown, and the script must be refused.
  void limit_copies(std::size_t bytes) { most_copied_ = bytes; }
  [[nodiscard]] bool copied_too_much() const { return copied_ > most_copied_; }

  static constexpr std::size_t kMostValues = 8;

 private:
  template <typename T>
  struct Chain {
    const T* item = nullptr;
    Chain* next = nullptr;
  };
  template <typename T>
  struct Uses {
    Chain<T>* first = nullptr;
    Chain<T>* last = nullptr;
    std::uint32_t count = 0;
  };
  struct Variable {
    Uses<Assignment> assignments;
    Uses<Word> words;  // of `for`, `declare name=word`
    std::span<const std::string_view> values;
    std::string_view only;     // the value, where there is one
    std::uint32_t learnt = 0;  // when `values` was computed
    std::uint8_t traits = 0;   // of all values
    bool open = false;         // something else writes it
    bool given = false;        // and gives it a value
    bool asked = false;        // whether its name speaks of a secret
    bool secret = false;
    bool busy = false;

    [[nodiscard]] bool written() const {
      return open || assignments.count != 0 || words.count != 0;
    }
  };

  template <typename T>
  void add_use(Uses<T>& uses, const T* item);
  // The variable of this name, which something writes.
  Variable& write(std::string_view name);
  void open(std::string_view name, bool given = true) {
    Variable& variable = write(name);
    variable.open = true;
    variable.given = variable.given || given;
  }
  void open_all();
  void separate();
  [[nodiscard]] bool written(std::string_view name) const;
  void learn_command(const Command& command);
  void learn_arguments(const Word* name, std::string_view builtin);
  void learn_declaration(const Word& word);
  void learn_arithmetic(std::string_view text);
  Variable& slot(std::string_view name) { return variables_.slot(name); }
  void compute(Variable& variable);
  void keep(Variable& variable, const Texts& values);
  Texts assigned_values(const Variable& variable);
  void add_word_values(Texts& values, const Word& word);
  void resolve_into(const Word& word, Texts& texts);
  void append_parts(Texts& texts, const Part* parts, bool quoted);
  void append_part(Texts& texts, const Part& part, bool quoted);
  void add_variable_values(Texts& values, const Part& part);
  [[nodiscard]] std::uint8_t part_traits(const Part& part);
  [[nodiscard]] std::uint8_t parts_traits(const Part* parts);
  [[nodiscard]] std::uint8_t parameter_traits(const Part& part);
  Variable* computed(std::string_view name);
  void parameter_values(const Part& part, bool quoted, Texts& values);
  void fields_of(Texts& values, bool all, bool quoted);
  [[nodiscard]] static std::string_view special_value(std::string_view name);
  bool append_simple(Texts& texts, std::string_view name, bool quoted);
  [[nodiscard]] std::string_view longer(std::string_view text, std::string_view tail, bool many);
  void append_text(Texts& texts, std::string_view tail);
  void array_value(const Word* elements, Texts& out);
  void cross(Texts& texts, const Texts& more);
  static void collapse(Texts& texts);
  static void add_value(Texts& texts, std::string_view value);
  [[nodiscard]] std::string_view substitution_value(std::string_view text);
  [[nodiscard]] std::string_view printed(std::string_view text);
  [[nodiscard]] static bool cuts_slash(const Part& part);
  [[nodiscard]] std::string_view replaced(std::string_view text, char a, char b, char c, char to);
  [[nodiscard]] std::string_view joined(std::string_view text);
  [[nodiscard]] std::string_view split(std::string_view text);
  void push_constant(const Word& word, std::vector<Argument>& out);
  void push_arguments(const Word& word, std::string_view text, std::vector<Argument>& out);

  Script& script_;
  Names<Variable> variables_;
  std::vector<std::uint32_t> running_text_;
  std::size_t learnt_commands_ = 0;
  std::size_t learnt_assignments_ = 0;
  std::size_t learnt_arithmetic_ = 0;
  std::size_t learnt_parameters_ = 0;
  std::size_t depth_ = 0;
  std::size_t steps_ = 0;
  std::size_t copied_ = 0;
  std::size_t most_copied_ = 16U << 20U;
  std::uint32_t learnings_ = 1;
  bool wild_ = false;  // something may write any variable
  bool separator_ = false;
  bool changed_ = false;  // what variables hold, since values were computed
  bool stale_ = false;
};

}  // namespace langsbx::languages::bash
