// The tokenizer's inside, shared by its two files: scanner.cc (lines, names, operators, brackets)
// and scanner_literals.cc (strings, f-strings, numbers).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "languages/python/tokens.h"

namespace langsbx::languages::python {

enum CharClass : std::uint8_t {
  kBadChar,
  kSpace,
  kWord,
  kDigit,
  kQuote,
  kPunct,
  kLineEnd,
  kHash,
  kSplice
};

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t c = 'a'; c <= 'z'; ++c) table[c] = kWord;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) table[c] = kWord;
  for (std::size_t c = 0x80; c < 256; ++c) table[c] = kWord;
  for (std::size_t c = '0'; c <= '9'; ++c) table[c] = kDigit;
  table['_'] = kWord;
  table[' '] = table['\t'] = table['\f'] = table['\r'] = kSpace;
  table['\n'] = kLineEnd;
  table['"'] = table['\''] = kQuote;
  table['#'] = kHash;
  table['\\'] = kSplice;
  for (const char c : {'(', ')', '[', ']', '{', '}', ',', ':', ';', '.', '=', '+',
                       '-', '*', '/', '%', '&', '|', '^', '~', '<', '>', '@', '!'}) {
    table[static_cast<unsigned char>(c)] = kPunct;
  }
  return table;
}

inline constexpr auto kClasses = make_classes();

// Bytes that continue a name.
constexpr std::array<bool, 256> make_name_bytes() {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < 256; ++c) table[c] = kClasses[c] == kWord || kClasses[c] == kDigit;
  return table;
}

inline constexpr auto kNameBytes = make_name_bytes();

// An open bracket, replacement field or f-string.
struct Frame {
  std::uint32_t token = 0;  // the opening token
  char close = 0;           // ')' ']' '}', or 0 for an f-string's text
  char quote = 0;           // f-strings: the quote
  bool triple = false;
  bool raw = false;
  bool spec = false;  // inside a format specification: text again, up to '}'
};

class Scanner {
 public:
  Scanner(std::string_view bytes, std::size_t max_nesting)
      : bytes_(bytes), max_nesting_(max_nesting) {}
  Scan run();

 private:
  char peek(std::size_t ahead) const {
    return at_ + ahead < bytes_.size() ? bytes_[at_ + ahead] : '\0';
  }
  static std::uint8_t class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }
  std::uint32_t index() const { return static_cast<std::uint32_t>(out_.tokens.size() - 1); }

  void fail(const char* why, std::size_t where) {
    if (out_.error != nullptr) return;
    out_.error = why;
    out_.error_offset = where;
  }
  void deep(std::size_t where) {
    out_.too_deep = true;
    fail("nested too deeply", where);
  }
  Token& push(TokenKind kind, std::size_t offset, std::size_t length, std::uint8_t op = 0) {
    out_.tokens.push_back(
        {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length), kind, op, 0, 0});
    return out_.tokens.back();
  }

  // scanner.cc
  void step();
  bool at_statement_start() const;
  void newline();
  void splice();
  void word();
  bool prefix(std::size_t start, std::size_t length);
  void punctuation(char c);
  void longer(char c);
  void op(std::size_t length, std::uint8_t value);
  bool field_level() const;
  void specification();
  void open(char closing);
  void close(char c);

  // scanner_literals.cc
  void string(std::size_t start, bool raw, bool formatted);
  bool skip_short(char quote);
  bool skip_triple(char quote);
  void text();
  bool closes(const Frame& frame) const;
  void end_text(const Frame& frame);
  void number();
  bool number_letter(char c, std::size_t start) const;

  std::string_view bytes_;
  std::size_t max_nesting_;
  std::size_t at_ = 0;
  std::vector<Frame> stack_;
  Scan out_;
};

}  // namespace langsbx::languages::python
