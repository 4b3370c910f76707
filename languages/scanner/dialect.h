// What differs between the languages the scanner knows: character classes and switches.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace langsbx::languages::scanner {

enum class CharClass : std::uint8_t {
  kUnknown,
  kSpace,
  kNewline,
  kIdentifier,
  kDigit,
  kSingle,  // punctuation that stands for itself, whatever follows
  kPunctuation,
  kOpen,
  kClose,
  kDot,
  kSlash,
  kDoubleQuote,
  kSingleQuote,
  kBacktick,
  kBackslash,
  kHigh,  // first byte of a character outside ASCII
};

using CharTable = std::array<CharClass, 256>;

struct Dialect {
  std::string_view name;
  CharTable table{};
  char name_extra = '_';         // $ where names may hold it
  bool preprocessor = false;     // # lines, header names, splices, digraphs, trigraphs
  bool cpp = false;              // raw strings, digit separators, <:: rule
  bool nested_comments = false;  // Rust
  bool lifetimes = false;        // Rust: 'a, r#name, raw and byte strings
  bool raw_backtick = false;     // Go
  bool templates = false;        // JavaScript: `${}`, regular expressions, <!--
  bool typescript = false;       // x! / y
  bool text_blocks = false;      // Java: """, \u translation
  bool balanced = true;          // brackets must match outside macros
  // What Scan::marks holds besides the filter's names and literals.
  char mark_from = '\x7f';       // names that begin with a character of this range, but not those
  char mark_to = '\0';           // directly behind a dot
  bool mark_qualifiers = false;  // names before a dot (Go), before :: (Rust)
  bool mark_symbols = false;     // # $ { } and * behind :: (Rust); [ and = (JavaScript)
};

extern const Dialect kC;
extern const Dialect kCpp;
extern const Dialect kJava;
extern const Dialect kGo;
extern const Dialect kRust;
extern const Dialect kJavaScript;
extern const Dialect kTypeScript;

}  // namespace langsbx::languages::scanner
