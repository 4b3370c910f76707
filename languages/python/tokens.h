// Python's tokens as the judge needs them: flat, with brackets matched and f-strings opened up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace langsbx::languages::python {

enum class TokenKind : std::uint8_t {
  kName,  // identifiers and keywords
  kNumber,
  kString,   // a whole literal, prefix and quotes included
  kFString,  // the opening prefix and quotes of an f-string or t-string; `link` is its end
  kFText,    // literal text inside one
  kFEnd,     // the closing quotes; `link` is its kFString
  kOpen,     // ( [ { and the { of a replacement field; `link` is the partner
  kClose,
  kOperator,  // `op` says which
  kNewline,   // ends a logical line
  kEnd,
};

// Operators of more than one character are named by a letter.
enum Op : std::uint8_t {
  kOpWalrus = 'W',
  kOpArrow = 'A',
  kOpAugmented = 'U',  // += and its kin
  kOpCompare = 'C',    // == != <= >=
  kOpOther = 'O',      // ** // << >> ...
};

struct Token {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  TokenKind kind = TokenKind::kEnd;
  std::uint8_t op = 0;     // the character, or an Op; for brackets the bracket
  std::uint16_t name = 0;  // index into the table of known names (names.h), 0 for any other
  std::uint32_t link = 0;  // brackets and f-strings: the partner; names: the hash
};

struct Scan {
  std::vector<Token> tokens;               // ends with kNewline, kEnd
  std::vector<std::uint32_t> imports;      // where `import` and `from` start a statement
  std::vector<std::uint32_t> assignments;  // `=` outside brackets
  const char* error = nullptr;             // what was not understood
  std::size_t error_offset = 0;
  bool too_deep = false;
};

// Tokenizes everything or says why not. Linear; memory is 16 bytes a token. Expects what preflight
// lets through (UTF-8, no NUL, no bare CR).
[[nodiscard]] Scan scan(std::string_view bytes, std::size_t max_nesting);

}  // namespace langsbx::languages::python
