// The tokenizer's inside, shared by its two files: scanner.cc (lines, names, operators, brackets)
// and scanner_literals.cc (strings, f-strings, numbers).
//
// It reads a copy of the source with kPadding zero bytes behind it, so that no step has to ask
// whether there is a next byte: NUL is a byte that nothing continues over, and preflight has seen
// to it that the source holds none. Each step takes where it stands and gives where it ends.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "languages/python/tokens.h"

namespace langsbx::languages::python {

enum CharClass : std::uint8_t {
  kBadChar,
  kSpace,
  kWord,
  kDigit,
  kQuote,
  kOpening,
  kClosing,
  kSingle,  // an operator that is never longer
  kDot,
  kColon,
  kExclamation,
  kOperators,
  kLineEnd,
  kHash,
  kSplice
};

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> table{};
  const auto mark = [&table](std::string_view characters, CharClass kind) {
    for (const char c : characters) table[static_cast<unsigned char>(c)] = kind;
  };
  for (std::size_t c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = kWord;
  for (std::size_t c = 0x80; c < 256; ++c) table[c] = kWord;
  for (std::size_t c = '0'; c <= '9'; ++c) table[c] = kDigit;
  mark("_", kWord);
  mark(" \t\f\r", kSpace);
  mark("\n", kLineEnd);
  mark("\"'", kQuote);
  mark("#", kHash);
  mark("\\", kSplice);
  mark("([{", kOpening);
  mark(")]}", kClosing);
  mark(",;~", kSingle);
  mark(".", kDot);
  mark(":", kColon);
  mark("!", kExclamation);
  mark("=+-*/%&|^<>@", kOperators);
  return table;
}

inline constexpr auto kClasses = make_classes();

[[nodiscard]] constexpr std::uint8_t class_of(char c) {
  return kClasses[static_cast<unsigned char>(c)];
}

// An open bracket, replacement field or f-string.
struct Frame {
  std::uint32_t token = 0;  // the opening token
  char close = 0;           // ')' ']' '}', or 0 for an f-string's text
  char quote = 0;           // f-strings: the quote
  bool triple = false;
  bool raw = false;
  bool spec = false;   // inside a format specification: text again, up to '}'
  bool field = false;  // the braces of a replacement field
};

class Scanner {
 public:
  Scanner(std::string_view bytes, std::size_t max_nesting);
  Scan run();

 private:
  using At = const char*;
  static constexpr std::size_t kPadding = 32;

  [[nodiscard]] std::uint32_t offset(At at) const { return static_cast<std::uint32_t>(at - base_); }
  [[nodiscard]] std::uint32_t index() const {
    return static_cast<std::uint32_t>(out_.tokens.size() - 1);
  }
  // Both end the scan: they give the end of the text.
  At fail(const char* why, At where);
  At deep(At where);
  Token& push(TokenKind kind, At from, At to, std::uint8_t op = 0) {
    return out_.tokens.push({offset(from), static_cast<std::uint32_t>(to - from), kind, op, 0, 0});
  }
  At op(At at, std::size_t length, std::uint8_t value) {
    push(TokenKind::kOperator, at, at + length, value);
    return at + length;
  }

  // scanner.cc
  At step(At at);
  [[nodiscard]] bool at_statement_start() const;
  void newline(At at);
  At line_end(At at);
  static At skip_comment(At at);
  At splice(At at);
  At word(At at);
  At long_word(At start);
  At name(At start, std::size_t length, bool high);
  void keyword(std::uint16_t known);
  At prefixed(At from, At to);
  At dot(At at);
  At exclamation(At at);
  At colon(At at);
  At operators(At at);
  [[nodiscard]] bool field_level() const {
    return !stack_.empty() && stack_.back().field && !stack_.back().spec;
  }
  At specification(At at);
  At open(At at);
  At close(At at);

  // scanner_literals.cc
  At string(At start, At at, bool raw, bool formatted);
  [[nodiscard]] At skip_short(At at, std::uint32_t& marks) const;
  [[nodiscard]] At skip_triple(At at, std::uint32_t& marks) const;
  At text(At at);
  At text_end(At at, const Frame& frame);
  At text_escape(At at, const Frame& frame);
  static bool closes(At at, const Frame& frame);
  At end_text(At at, const Frame& frame);
  At number(At at);
  At long_number(At at);

  std::unique_ptr<char[]> copy_;
  At base_;
  At end_;
  std::size_t max_nesting_;
  std::vector<Frame> stack_;
  bool in_text_ = false;  // the innermost frame is an f-string's text or a specification
  Scan out_;
};

}  // namespace langsbx::languages::python
