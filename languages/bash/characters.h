// Character classes of the shell's lexer, as one table.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace langsbx::languages::bash {

enum CharacterClass : std::uint8_t {
  kBreak = 1,     // ends a word: blanks, newline, | & ; ( ) < > and NUL
  kQuoting = 2,   // \ ' " ` $
  kGlobbing = 4,  // * ? [ {
  kNameStart = 8,
  kDigit = 16,
  kInDouble = 32,  // ends a run in double quotes: " \ ` $ and NUL
};

constexpr std::array<std::uint8_t, 256> make_character_classes() {
  std::array<std::uint8_t, 256> table{};
  const auto mark = [&table](std::string_view characters, std::uint8_t bit) {
    for (const char c : characters) {
      auto& entry = table[static_cast<unsigned char>(c)];
      entry = static_cast<std::uint8_t>(entry | bit);
    }
  };
  mark(std::string_view{" \t\n|&;()<>\0", 11}, kBreak);
  mark("\\'\"`$", kQuoting);
  mark("*?[{", kGlobbing);
  mark("_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", kNameStart);
  mark("0123456789", kDigit);
  mark(std::string_view{"\"\\`$\0", 5}, kInDouble);
  return table;
}

inline constexpr std::array<std::uint8_t, 256> kCharacterClass = make_character_classes();

constexpr std::uint8_t class_of(char c) { return kCharacterClass[static_cast<unsigned char>(c)]; }
constexpr bool is_break(char c) { return (class_of(c) & kBreak) != 0; }
constexpr bool is_name_start(char c) { return (class_of(c) & kNameStart) != 0; }
constexpr bool is_name(char c) { return (class_of(c) & (kNameStart | kDigit)) != 0; }
constexpr bool is_digit(char c) { return (class_of(c) & kDigit) != 0; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

constexpr bool is_identifier(std::string_view text) {
  if (text.empty() || !is_name_start(text[0])) return false;
  for (const char c : text) {
    if (!is_name(c)) return false;
  }
  return true;
}

}  // namespace langsbx::languages::bash
