// The scanner's working state; private to this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "languages/scanner/dialect.h"
#include "languages/scanner/runs.h"
#include "languages/scanner/token.h"

namespace langsbx::languages::scanner {

// What an open bracket tells about a `/` after its partner.
enum class Opened : std::uint8_t {
  kOperand,    // after it comes an operator: division
  kStatement,  // after it comes a statement or operand: regular expression
  kUnclear,
};

class State {
 public:
  State(std::string_view bytes, const Dialect& dialect, std::size_t max_nesting,
        const WordFilter& words);
  [[nodiscard]] Scan run();

 private:
  template <const Dialect& kDialect>
  friend class Loop;

  [[nodiscard]] char peek(std::size_t offset) const {
    return offset < size_ ? text_[offset] : '\0';
  }
  [[nodiscard]] CharClass class_at(std::size_t offset) const {
    return offset < size_ ? dialect_.table[static_cast<unsigned char>(text_[offset])]
                          : CharClass::kUnknown;
  }
  [[nodiscard]] bool is_name_part(std::size_t offset) const {
    const CharClass c = class_at(offset);
    return c == CharClass::kIdentifier || c == CharClass::kDigit || c == CharClass::kHigh;
  }

  [[gnu::always_inline]] inline Token& emit(TokenKind kind, std::size_t start, std::size_t end,
                                            Symbol symbol = 0, unsigned flags = 0) {
    pos_ = end;
    const auto all =
        static_cast<std::uint8_t>(pending_ | flags | (in_directive_ ? kInDirective : 0U));
    pending_ = 0;
    return out_.tokens.push({kind, all, symbol, static_cast<std::uint32_t>(start),
                             static_cast<std::uint32_t>(end - start)});
  }
  // Tokens are marked as they come, or one later.
  void mark(std::size_t token) {
    const auto index = static_cast<std::uint32_t>(token);
    if (out_.marks.empty() || out_.marks.back() < index) out_.marks.push(index);
  }
  void mark_last() { mark(out_.tokens.size() - 1); }
  // `token` opens a bracket, or a hole of a template.
  void open_pair(std::size_t token) {
    const auto place = static_cast<std::uint32_t>(out_.brackets.size());
    out_.brackets.push({static_cast<std::uint32_t>(token), kNoToken, innermost_});
    innermost_ = place;
    ++depth_;
  }
  void too_deep(std::size_t start, std::size_t end);
  // A literal that rules read: its text may be a path.
  void emit_text(TokenKind kind, std::size_t start, std::size_t end, unsigned flags = 0) {
    emit(kind, start, end, 0, flags);
    mark_last();
  }
  void fault(Fault fault, std::size_t start, std::size_t end);
  void comment(std::size_t start, std::size_t end);

  // loop.cc
  void scan_all();
  void rare_character(CharClass kind);

  // scanner.cc
  void prologue();
  void newline();
  bool special_identifier(std::size_t start, std::size_t end);
  void foreign_identifier(std::size_t start, std::size_t at);
  void finish_identifier(std::size_t start, std::size_t end, unsigned flags);
  void directive_word(std::size_t start);
  void foreign_character();
  [[nodiscard]] std::size_t foreign_name_part(std::size_t at);  // 0: not part of a name
  [[nodiscard]] std::size_t name_end(std::size_t at);
  void number();
  [[nodiscard]] std::size_t number_end(std::size_t at) const;
  [[nodiscard]] std::size_t javascript_number_end(std::size_t at) const;
  [[nodiscard]] std::size_t rust_number_end(std::size_t at) const;

  // punctuation.cc
  void punctuation();
  void dot();
  void mark_name_before();
  void slash();
  void open_bracket(char c, std::size_t length, std::uint8_t flags);
  void close_bracket(char c, std::size_t length, std::uint8_t flags);
  bool digraph();
  void directive(std::size_t length, std::uint8_t flags);
  bool html_comment();
  [[nodiscard]] Opened role_of(std::uint32_t bracket) const;
  [[nodiscard]] Opened parenthesis_role(std::size_t open) const;
  [[nodiscard]] Opened brace_role(std::uint32_t brace) const;
  [[nodiscard]] Opened slash_role() const;

  // comments.cc
  void line_comment(std::size_t start);
  [[nodiscard]] std::size_t continued_line(std::size_t start, std::size_t end) const;
  void check_line_comment(std::size_t start, std::size_t end);
  void block_comment();
  void nested_comment();
  [[nodiscard]] std::size_t splice_end(std::size_t at) const;  // past \ blanks newline, or `at`
  void backslash();
  [[nodiscard]] bool harmless_unicode_escape(std::size_t backslash, bool in_string,
                                             std::size_t& end) const;
  void check_java_comment(std::size_t start, std::size_t end);
  void report_trigraphs();

  // literals.cc
  void quoted(std::size_t start, char quote, TokenKind kind);
  void double_quote(std::size_t start);
  void single_quote(std::size_t start);
  void text_block(std::size_t start);
  void backtick();
  void template_piece(std::size_t start);
  void raw_backtick();
  void backtick_name();
  void percent_operator();  // R: %in%, %any text%
  bool r_raw_string(std::size_t start, std::string_view prefix);
  void cpp_raw_string(std::size_t start, std::size_t quote);
  void rust_raw_string(std::size_t start, std::size_t hashes);
  void rust_quote(std::size_t start);
  void regex();
  void header_name();
  bool prefixed_literal(std::size_t start);  // R"..." b'...' after an identifier just read
  bool c_prefixed_literal(std::size_t start, std::string_view prefix);
  bool rust_prefixed_literal(std::size_t start, std::string_view prefix);
  [[nodiscard]] std::size_t line_end(std::size_t from) const;

  std::string_view text_;
  std::size_t size_;
  const Dialect& dialect_;
  const WordFilter& words_;
  std::size_t max_nesting_;
  Scan out_;
  std::size_t pos_ = 0;
  std::uint8_t pending_ = kNewlineBefore;  // flags of the next token
  bool in_directive_ = false;
  bool header_next_ = false;  // after #include
  // Of Scan::brackets: what is open, from the innermost on by Bracket::outer.
  std::uint32_t innermost_ = kNoToken;
  std::uint32_t last_closed_ = kNoToken;
  std::size_t depth_ = 0;
};

}  // namespace langsbx::languages::scanner
