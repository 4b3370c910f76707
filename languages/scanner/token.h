// What the scanner hands to a language's rules: tokens by offset, kind and symbol.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "languages/scanner/rows.h"
#include "languages/scanner/words.h"

namespace langsbx::languages::scanner {

enum class TokenKind : std::uint8_t {
  kEnd,         // stands for every position outside the source
  kIdentifier,  // keywords too; Rust's r#name is one token, its text keeps the r#
  kNumber,
  kString,     // the whole literal with prefix and quotes
  kRawString,  // no escapes inside: C++ R"x()x", Go `...`, Rust r#""#
  kChar,
  kTextBlock,    // Java """..."""
  kTemplate,     // one piece of a template literal: `a${  }b${  }c`  or  `abc`
  kRegex,        // JavaScript /.../flags
  kLifetime,     // Rust 'a and 'label
  kHeaderName,   // <stdio.h> after #include and the like
  kDirective,    // the # that opens a preprocessor line
  kPunctuation,  // see symbol
  kComment,      // only in Scan::comments
  kError,        // not understood; symbol is a Fault. Never dropped: the judge refuses the source
};

// Why a kError token is one.
enum class Fault : std::uint16_t {
  kUnknownByte,
  kUnterminatedString,
  kUnterminatedComment,
  kUnterminatedRegex,
  kUnbalancedBracket,
  kTooDeep,
  kTooLarge,
  kBareCarriageReturn,
  kEscapedIdentifier,  // \u in a name
  kForeignSpace,       // Unicode white space or format characters between tokens
  kInvalidUtf8,
  kAmbiguousSlash,  // regex or division can't be told without a parser
  kHtmlComment,     // <!-- and --> are comments in scripts, operators in modules
  kSpliceInToken,   // backslash-newline glues two tokens
  kTrigraph,
  kAmbiguousLiteral,  // its extent depends on the language's edition or standard
  kUnicodeEscape,     // Java \u that changes what the source is
};
[[nodiscard]] std::string_view to_string(Fault fault);

// Bits of Token::flags.
inline constexpr std::uint8_t kNewlineBefore = 1;  // a line end stands between this and the last
inline constexpr std::uint8_t kInDirective = 2;    // on a preprocessor line
inline constexpr std::uint8_t kEscaped = 4;        // has a backslash: decode_literal before use
inline constexpr std::uint8_t kNonAscii = 8;
inline constexpr std::uint8_t kSpaceBefore = 16;  // blank, comment or newline before it
inline constexpr std::uint8_t kDigraph = 32;      // spelled <: :> <% %> %: %:%:
inline constexpr std::uint8_t kOpens = 64;        // ( [ { and the piece of a template before ${ }
inline constexpr std::uint8_t kCloses = 128;      // ) ] } and the piece of a template after it

// Of punctuation: the character itself, or two packed by pair(). Digraphs have the symbol they
// mean. Of an identifier: name_hash() of it, without Rust's r#. Of an error: its Fault.
using Symbol = std::uint16_t;
[[nodiscard]] constexpr Symbol pair(char first, char second) {
  return static_cast<Symbol>(static_cast<unsigned char>(first) | static_cast<unsigned char>(second)
                                                                     << 8U);
}
inline constexpr Symbol kScope = pair(':', ':');
inline constexpr Symbol kArrow = pair('-', '>');
inline constexpr Symbol kFatArrow = pair('=', '>');
inline constexpr Symbol kEqual = pair('=', '=');
inline constexpr Symbol kNotEqual = pair('!', '=');  // also !==; kEqual is also ===
inline constexpr Symbol kIncrement = pair('+', '+');
inline constexpr Symbol kDecrement = pair('-', '-');
inline constexpr Symbol kAnd = pair('&', '&');
inline constexpr Symbol kOr = pair('|', '|');
inline constexpr Symbol kEllipsis = pair('.', '.');       // "..." (and Rust's ".." and "..=")
inline constexpr Symbol kPaste = pair('#', '#');          // C, C++
inline constexpr Symbol kDefine = pair(':', '=');         // Go
inline constexpr Symbol kReceive = pair('<', '-');        // Go
inline constexpr Symbol kOptionalChain = pair('?', '.');  // JavaScript
inline constexpr Symbol kNullish = pair('?', '?');        // JavaScript

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::uint8_t flags = 0;
  Symbol symbol = 0;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;

  [[nodiscard]] bool is(Symbol wanted) const {
    return kind == TokenKind::kPunctuation && symbol == wanted;
  }
  [[nodiscard]] bool is(char wanted) const { return is(static_cast<Symbol>(wanted)); }
  [[nodiscard]] bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
  [[nodiscard]] bool is_literal_text() const {
    return kind == TokenKind::kString || kind == TokenKind::kRawString ||
           kind == TokenKind::kTextBlock || kind == TokenKind::kTemplate;
  }
};

using Tokens = Rows<Token>;

inline constexpr std::uint32_t kNoToken = 0xffffffffU;

struct Bracket {
  std::uint32_t open = 0;          // token
  std::uint32_t close = kNoToken;  // token
  std::uint32_t outer = kNoToken;  // the one around it, by its place in Scan::brackets
};

// The tokens of one source. Refers to the bytes it was made from.
struct Scan {
  std::string_view bytes;
  Tokens tokens;                // in order, without comments; no kEnd
  std::vector<Token> comments;  // in order
  // Indices, in order, of the tokens that a judge looks at first: names that its WordFilter may
  // hold, literals with text, directives, and what the dialect marks besides (see Dialect).
  Rows<std::uint32_t> marks;
  Rows<Bracket> brackets;  // in the order they open; balanced dialects only
  // Of brackets in no other: the tokens that open and close them. Balanced dialects only.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks;
  std::uint32_t errors = 0;  // number of kError tokens among `tokens`
  bool non_ascii = false;    // some identifier is

  [[nodiscard]] std::size_t size() const { return tokens.size(); }
  // Any index, also before the first (wrapped) and after the last: a kEnd token.
  [[nodiscard]] const Token& at(std::size_t index) const {
    static constexpr Token kNone;
    return index < tokens.size() ? tokens[index] : kNone;
  }
  [[nodiscard]] std::string_view text(const Token& token) const {
    return bytes.substr(token.offset, token.length);
  }
  [[nodiscard]] std::string_view text(std::size_t index) const { return text(at(index)); }
  [[nodiscard]] bool is_name(std::size_t index, std::string_view name) const {
    const Token& token = at(index);
    return token.kind == TokenKind::kIdentifier && text(token) == name;
  }
};

}  // namespace langsbx::languages::scanner
