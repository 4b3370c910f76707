// A recursive-descent parser for Bash: all of the grammar in one pass, with a nesting cap and a
// budget for text that is read more than once. What it does not understand is an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "languages/bash/characters.h"
#include "languages/bash/syntax.h"
#include "languages/byte_blocks.h"

namespace langsbx::languages::bash {

struct ParserLimits {
  std::size_t nesting = 200;
  std::size_t commands = 1U << 18U;
  std::size_t words = 1U << 21U;
  std::size_t memory = 64U << 20U;  // bytes of the syntax and the texts made from it
  std::size_t reread = 1U << 17U;   // bytes that may be read a second time, on top of 4x the source
};

class Parser {
 public:
  Parser(Script& script, const ParserLimits& limits) : script_(script), limits_(limits) {}

  // Appends to the script, with a copy of `bytes`, which hold no NUL. `origin` is the offset
  // that findings in this text are given (0 for the file itself, where the literal stands for the
  // text of an `eval`).
  [[nodiscard]] std::optional<SyntaxError> parse(std::string_view bytes, std::uint32_t origin);

  // Parses text as Bash expands it later (PS4, here-document, ${x@P}): only expansions count.
  [[nodiscard]] std::optional<SyntaxError> parse_expansions(std::string_view bytes,
                                                            std::uint32_t origin);

  // Words, and bytes that were read a second time.
  [[nodiscard]] std::size_t steps() const { return words_ + reread_; }

 private:
  // Where a list of commands ended.
  enum class End : std::uint8_t {
    kNone,
    kEof,
    kParen,
    kCaseBreak,
    kThen,
    kElif,
    kElse,
    kFi,
    kDo,
    kDone,
    kEsac,
    kBrace
  };
  enum class Keyword : std::uint8_t {
    kNone,
    kIf,
    kThen,
    kElif,
    kElse,
    kFi,
    kDo,
    kDone,
    kWhile,
    kUntil,
    kFor,
    kSelect,
    kCase,
    kEsac,
    kFunction,
    kOpenBrace,
    kCloseBrace,
    kNot,
    kCondition,
    kTime,
    kCoproc,
    kIn
  };
  struct Pending {
    Redirect* redirect;
    std::string_view delimiter;
    bool strip_tabs;
  };
  struct Cursor {
    const char* p = nullptr;
    const char* base = nullptr;
    const char* end = nullptr;
    std::uint32_t origin = 0;
  };
  struct PartList {
    Part* first = nullptr;
    Part** tail = &first;
    void add(Part* part) {
      if (part == nullptr) return;  // it failed
      *tail = part;
      tail = &part->next;
    }
  };
  // How much the script held, to forget what an attempt added.
  struct Marks {
    std::size_t commands, assignments, functions, arithmetic, parameters, environment;
  };
  class Nest;
  struct Keywords;
  static const Keywords kKeywords;

  // parser.cc: blanks, errors, positions
  void fail(std::string_view message) { fail_at(message, offset()); }
  void fail_at(std::string_view message, std::uint32_t offset);
  void fail_limit(std::string_view message);
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  [[nodiscard]] std::uint32_t offset_of(const char* at) const {
    return cursor_.origin + static_cast<std::uint32_t>(at - cursor_.base);
  }
  [[nodiscard]] std::uint32_t offset() const { return offset_of(cursor_.p); }
  void skip_splices();
  void skip_blanks();
  void skip_comment();
  void skip_newlines();
  void take_newline();
  bool spend(std::size_t bytes);
  // Whether there is room for more syntax; fails when there is not.
  bool roomy() {
    if (script_.arena.size() <= limits_.memory) return true;
    fail_limit("too much syntax");
    return false;
  }
  [[nodiscard]] Marks mark() const;
  void rewind(const Marks& marks);
  [[nodiscard]] char next_after(const char* at) const;
  [[nodiscard]] const char* spliced(const char* at) const;
  static const char* name_end(const char* at);
  void enter_text(std::string_view text, std::uint32_t origin);

  // parser_lists.cc
  End parse_list();
  End parse_pipeline(Connector& before, bool& more);
  bool parse_block(End wanted, std::string_view message);
  End parse_some(std::string_view message);
  Connector take_connector(bool& more);
  End parse_command(Connector before);
  Keyword plain_head(std::string_view& name);
  End unusual_command(std::size_t index);
  void parse_named(Word* word, std::size_t index);
  End no_command(bool prefixed, Connector before);
  void skip_time_options();
  End compound(Keyword keyword, std::size_t index);
  static Keyword keyword_of(const Word& word);
  [[nodiscard]] bool at_closing_word() const;
  static End end_of(Keyword keyword);
  std::size_t open_command(CommandKind kind, std::uint32_t offset, Connector before);

  // parser_compound.cc
  void parse_if();
  void parse_while();
  void parse_for(std::size_t index);
  bool for_header(std::size_t index);
  void parse_case(std::size_t index);
  bool parse_case_item(Word**& tail);
  void parse_group();
  void parse_subshell(std::size_t index);
  void parse_arithmetic_command(std::size_t index);
  bool try_arithmetic_command(std::size_t index);
  void parse_function(std::size_t index);
  void parse_function_parentheses(const Word& name, std::size_t index);
  void parse_function_body(std::string_view name, std::size_t index);
  void parse_coproc(std::size_t index);
  static bool starts_compound(const char* at);
  void parse_redirects_after(std::size_t index);

  // parser_condition.cc
  void parse_condition(std::size_t index);
  void condition_or();
  void condition_and();
  void condition_term();
  void condition_test();
  bool condition_operand(bool regex);
  void skip_condition_blanks();
  void keep_condition_word(Word* word);

  // parser_simple.cc
  void parse_simple(std::size_t index, Word* first);
  Assignment* try_assignment();
  Word* parse_array();
  Word* array_element();
  void array_argument(Word& word);

  // parser_redirects.cc
  Redirect* try_redirect();
  bool redirect_operator(Redirect& redirect, bool& here, bool& strip_tabs);
  void here_document(Redirect& redirect, bool strip_tabs);
  bool unquote_delimiter(const Word& word, std::string_view& delimiter);
  void read_here_documents();
  void read_body(const Pending& pending);
  bool ends_at_parenthesis(const Pending& pending, std::string_view line, const char* stop);
  Part* parse_body(std::string_view body, std::uint32_t offset);

  // parser_words.cc
  enum class WordMode : std::uint8_t { kNormal, kRegex };
  Word* parse_word(WordMode mode = WordMode::kNormal);
  Word* plain_word(std::string_view text);
  Word* parse_word_parts(const char* begin, const char* from, std::uint8_t flags, WordMode mode);
  bool word_part(PartList& list, std::uint8_t& flags, int& parens, WordMode mode);
  bool special_part(PartList& list, std::uint8_t& flags, char c);
  Part* literal(const char* begin, const char* end, PartKind kind = PartKind::kLiteral);
  void note_quoted(std::string_view text);
  Part* single_quoted();
  Part* ansi_quoted();
  Part* double_quoted();
  void quoted_run(PartList& list, char terminator);

  // parser_expansions.cc
  Part* dollar(bool quoted);
  Part* simple_parameter();
  Part* brace_parameter(bool quoted);
  void note_environment(std::string_view name);
  bool parameter_name(std::string_view& name, Parameter& parameter);
  bool parameter_operator(Parameter& parameter, bool& literal_quotes);
  Part* operand_parts(bool quoted, bool literal_quotes, std::string_view& text);
  Part* operand_quote(bool quoted, bool literal_quotes);
  Part* subscript(std::string_view& text);
  Part* command_substitution();
  Part* process_substitution();
  Part* backquotes(bool quoted);
  Part* arithmetic_expansion();
  bool arithmetic_body(PartList& list, char close, std::string_view& text);
  void parse_nested_list(std::string_view message);

  Script& script_;
  const ParserLimits& limits_;
  Cursor cursor_;
  std::optional<SyntaxError> error_;
  std::vector<Pending> pending_;
  std::size_t parenthesised_ = 0;  // substitutions in parentheses around us
  std::size_t outer_pending_ = 0;  // here-documents opened outside the substitution we are in
  std::size_t depth_ = 0;
  std::size_t words_ = 0;
  std::size_t reread_left_ = 0;
  std::size_t reread_ = 0;
  std::uint16_t block_ = 0;  // Command::depth
  std::int32_t function_ = kNoFunction;
  bool loop_ = false;
  unsigned apart_ = 0;   // subshells and substitutions around us
  bool closed_ = false;  // the last command was a compound one without redirections
  Word** condition_tail_ = nullptr;
};

// Undoes the depth when a construct ends; `ok` is false when the cap is reached (and has failed).
class Parser::Nest {
 public:
  explicit Nest(Parser& parser);
  ~Nest() { --parser_.depth_; }
  Nest(const Nest&) = delete;
  Nest& operator=(const Nest&) = delete;
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  Parser& parser_;
  bool ok_;
};

inline Parser::Nest::Nest(Parser& parser) : parser_(parser), ok_(true) {
  if (++parser_.depth_ > parser_.limits_.nesting) {
    parser_.fail_limit("nested too deeply");
    ok_ = false;
  }
  ok_ = ok_ && parser_.roomy();
}

// Past every backslash-newline at `at`: the shell takes them out before it looks at operators.
inline const char* Parser::spliced(const char* at) const {
  while (at[0] == '\\' && at[1] == '\n') at += 2;
  return at;
}

// Behind the letters, digits and underscores at `at`.
inline const char* Parser::name_end(const char* at) {
  static_assert(Arena::kReadable >= kBlock);
  std::size_t run = run_of(Block(at).ascii_name());
  while (run == kBlock) {
    at += kBlock;
    run = run_of(Block(at).ascii_name());
  }
  return at + run;
}

inline char Parser::next_after(const char* at) const { return *spliced(at + 1); }

inline void Parser::skip_splices() { cursor_.p = spliced(cursor_.p); }

inline void Parser::skip_blanks() {
  const char* p = cursor_.p;
  for (;;) {
    if (is_blank(*p)) {
      ++p;
    } else if (p[0] == '\\' && p[1] == '\n') {
      p += 2;
    } else {
      break;
    }
  }
  cursor_.p = p;
  if (*p == '#') skip_comment();
}

inline Part* Parser::literal(const char* begin, const char* end, PartKind kind) {
  Part* part = script_.arena.make<Part>();
  part->kind = kind;
  part->text = {begin, static_cast<std::size_t>(end - begin)};
  return part;
}

}  // namespace langsbx::languages::bash
