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
  kHash,     // R: begins a comment
  kPercent,  // R: begins an operator that ends at the next one
  kHigh,     // first byte of a character outside ASCII
};

using CharTable = std::array<CharClass, 256>;

// Two characters that are one operator where rules look at it, by the first: the second ones.
inline constexpr std::uint16_t kNoSecond = 0xffff;
using PairTable = std::array<std::array<std::uint16_t, 2>, 128>;

enum class Kind : std::uint8_t { kC, kCpp, kJava, kGo, kRust, kJavaScript, kTypeScript, kR };

struct Dialect {
  std::string_view name;
  Kind kind = Kind::kC;
  CharTable table{};
  PairTable pairs{};
  char name_extra = '_';         // $ where names may hold it
  bool preprocessor = false;     // # lines, header names, splices, digraphs, trigraphs
  bool cpp = false;              // raw strings, digit separators, <:: rule
  bool nested_comments = false;  // Rust
  bool lifetimes = false;        // Rust: 'a, r#name, raw and byte strings
  bool raw_backtick = false;     // Go
  bool templates = false;        // JavaScript: `${}`, regular expressions, <!--
  bool typescript = false;       // x! / y
  bool text_blocks = false;      // Java: """, \u translation
  bool backtick_names = false;   // R: `any text`; strings over lines, r"(...)"
  bool balanced = true;          // brackets must match outside macros
  // What Scan::marks holds besides the filter's names and literals.
  char mark_from = '\x7f';       // names that begin with a character of this range, but not those
  char mark_to = '\0';           // directly behind a dot
  bool mark_qualifiers = false;  // names before a dot (Go), before :: (Rust)
  bool mark_symbols = false;     // # $ { } and * behind :: (Rust); [ and = (JavaScript)
};

namespace tables {

constexpr void set(CharTable& table, std::string_view chars, CharClass value) {
  for (const char c : chars) {
    table[static_cast<unsigned char>(c)] = value;
  }
}

constexpr CharTable make_table(std::string_view extra_identifier, std::string_view not_used) {
  CharTable table{};
  for (auto& entry : table) {
    entry = CharClass::kUnknown;
  }
  for (unsigned c = 0x80; c < 0x100; ++c) {
    table[c] = CharClass::kHigh;
  }
  set(table, " \t\v\f", CharClass::kSpace);
  set(table, "\r\n", CharClass::kNewline);
  set(table, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_", CharClass::kIdentifier);
  set(table, "0123456789", CharClass::kDigit);
  set(table, "!$%&+-:<=?|#", CharClass::kPunctuation);
  set(table, "*,;>^~@", CharClass::kSingle);
  set(table, "([{", CharClass::kOpen);
  set(table, ")]}", CharClass::kClose);
  set(table, ".", CharClass::kDot);
  set(table, "/", CharClass::kSlash);
  set(table, "\"", CharClass::kDoubleQuote);
  set(table, "'", CharClass::kSingleQuote);
  set(table, "`", CharClass::kBacktick);
  set(table, "\\", CharClass::kBackslash);
  set(table, extra_identifier, CharClass::kIdentifier);
  set(table, not_used, CharClass::kUnknown);
  return table;
}

// `pairs`: the operators, one behind the other.
constexpr PairTable make_pairs(std::string_view pairs) {
  PairTable table{};
  for (auto& entry : table) entry = {kNoSecond, kNoSecond};
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    auto& entry = table[static_cast<unsigned char>(pairs[i])];
    entry[entry[0] == kNoSecond ? 0 : 1] = static_cast<unsigned char>(pairs[i + 1]);
  }
  return table;
}

}  // namespace tables

// GCC and Clang take $ in names; @ and ` are nothing in C.
inline constexpr Dialect kC{.name = "c",
                            .kind = Kind::kC,
                            .table = tables::make_table("$", "@`"),
                            .pairs = tables::make_pairs("::->=>==!=++--&&||##"),
                            .name_extra = '$',
                            .preprocessor = true,
                            .balanced = false,
                            .mark_from = '_',
                            .mark_to = '_'};
inline constexpr Dialect kCpp{.name = "cpp",
                              .kind = Kind::kCpp,
                              .table = tables::make_table("$", "@`"),
                              .pairs = tables::make_pairs("::->=>==!=++--&&||##"),
                              .name_extra = '$',
                              .preprocessor = true,
                              .cpp = true,
                              .balanced = false,
                              .mark_from = '_',
                              .mark_to = '_'};
inline constexpr Dialect kJava{.name = "java",
                               .kind = Kind::kJava,
                               .table = tables::make_table("$", "#`"),
                               .pairs = tables::make_pairs("::->=>==!=++--&&||"),
                               .name_extra = '$',
                               .text_blocks = true,
                               .mark_from = 'A',
                               .mark_to = 'Z'};
inline constexpr Dialect kGo{.name = "go",
                             .kind = Kind::kGo,
                             .table = tables::make_table("", "#$@?\v\f"),
                             .pairs = tables::make_pairs("::->=>==!=++--&&||:=<-"),
                             .raw_backtick = true,
                             .mark_qualifiers = true};
inline constexpr Dialect kRust{.name = "rust",
                               .kind = Kind::kRust,
                               .table = tables::make_table("", "`"),
                               .pairs = tables::make_pairs("::->=>==!=++--&&||"),
                               .nested_comments = true,
                               .lifetimes = true,
                               .mark_qualifiers = true,
                               .mark_symbols = true};
inline constexpr Dialect kJavaScript{.name = "javascript",
                                     .kind = Kind::kJavaScript,
                                     .table = tables::make_table("$", ""),
                                     .pairs = tables::make_pairs("::->=>==!=++--&&||?.??"),
                                     .name_extra = '$',
                                     .templates = true,
                                     .mark_symbols = true};
inline constexpr Dialect kTypeScript{.name = "typescript",
                                     .kind = Kind::kTypeScript,
                                     .table = tables::make_table("$", ""),
                                     .pairs = tables::make_pairs("::->=>==!=++--&&||?.??"),
                                     .name_extra = '$',
                                     .templates = true,
                                     .typescript = true,
                                     .mark_symbols = true};

// Dots belong to names; a backslash begins a function.
constexpr CharTable make_r_table() {
  CharTable table = tables::make_table(".", "");
  tables::set(table, "/\\", CharClass::kSingle);
  tables::set(table, "#", CharClass::kHash);
  tables::set(table, "%", CharClass::kPercent);
  return table;
}
inline constexpr Dialect kR{.name = "r",
                            .kind = Kind::kR,
                            .table = make_r_table(),
                            .pairs = tables::make_pairs("::<-->==!=|>"),
                            .name_extra = '.',
                            .backtick_names = true};

}  // namespace langsbx::languages::scanner
