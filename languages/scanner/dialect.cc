// The seven dialects as tables.
#include "languages/scanner/dialect.h"

namespace langsbx::languages::scanner {
namespace {

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

}  // namespace

// GCC and Clang take $ in names; @ and ` are nothing in C.
constexpr Dialect kC{.name = "c",
                     .table = make_table("$", "@`"),
                     .name_extra = '$',
                     .preprocessor = true,
                     .balanced = false,
                     .mark_from = '_',
                     .mark_to = '_'};
constexpr Dialect kCpp{.name = "cpp",
                       .table = make_table("$", "@`"),
                       .name_extra = '$',
                       .preprocessor = true,
                       .cpp = true,
                       .balanced = false,
                       .mark_from = '_',
                       .mark_to = '_'};
constexpr Dialect kJava{.name = "java",
                        .table = make_table("$", "#`"),
                        .name_extra = '$',
                        .text_blocks = true,
                        .mark_from = 'A',
                        .mark_to = 'Z'};
constexpr Dialect kGo{.name = "go",
                      .table = make_table("", "#$@?\v\f"),
                      .raw_backtick = true,
                      .mark_qualifiers = true};
constexpr Dialect kRust{.name = "rust",
                        .table = make_table("", "`"),
                        .nested_comments = true,
                        .lifetimes = true,
                        .mark_qualifiers = true,
                        .mark_symbols = true};
constexpr Dialect kJavaScript{.name = "javascript",
                              .table = make_table("$", ""),
                              .name_extra = '$',
                              .templates = true,
                              .mark_symbols = true};
constexpr Dialect kTypeScript{.name = "typescript",
                              .table = make_table("$", ""),
                              .name_extra = '$',
                              .templates = true,
                              .typescript = true,
                              .mark_symbols = true};

}  // namespace langsbx::languages::scanner
