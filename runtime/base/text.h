// Texts: splitting, trimming, numbers, bytes of UTF-8. Plain ASCII, whatever the locale; nothing
// here allocates but what gives a std::string or a vector.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace langsbx {

inline constexpr std::string_view kBlanks = " \t";
inline constexpr std::string_view kWhitespace = " \t\r\n";

// Without the letters of `set` at both ends.
std::string_view trim(std::string_view text, std::string_view set = kWhitespace);

// Takes the next word off `rest`, and the separators before it; empty at the end.
std::string_view take_word(std::string_view& rest, std::string_view separators = kBlanks);
// Takes what stands before the next separator, and the separator; all of it when there is none.
std::string_view take_part(std::string_view& rest, char separator);
inline std::string_view take_line(std::string_view& rest) { return take_part(rest, '\n'); }

// "a,,b" has three parts, "" has none.
std::vector<std::string_view> split(std::string_view text, char separator);
// "a  b" has two words.
std::vector<std::string_view> words_of(std::string_view text,
                                       std::string_view separators = kBlanks);

// "/usr/bin/env" -> "env"; "/" and "a/" -> "".
constexpr std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

constexpr char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}
std::string lower(std::string_view text);

// The whole text as a number of the type's range, without a plus sign or blanks.
template <std::integral Number>
std::optional<Number> to_number(std::string_view text, int base = 10) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Takes the number that `rest` begins with; nothing where none stands or it is out of range.
template <std::integral Number>
std::optional<Number> take_number(std::string_view& rest, int base = 10) {
  Number value{};
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value, base);
  if (error != std::errc{}) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return value;
}

// 0 to 15, or -1.
constexpr int hex_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  const char small = lower(digit);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

// A unit of a number: {"Ki", 1024}.
struct NumberUnit {
  std::string_view suffix;
  std::uint64_t factor = 1;
};
// "1.5Gi" and the like: at most three decimals, and none of the smallest unit. Nothing when it is
// something else or more than half of what 64 bits hold.
template <typename Units>
std::optional<std::uint64_t> number_with_unit(std::string_view text, const Units& units) {
  constexpr std::uint64_t kMost = UINT64_MAX / 2;
  constexpr std::uint64_t kThousand = 1000;
  const auto whole = take_number<std::uint64_t>(text);
  if (!whole) return std::nullopt;
  std::uint64_t thousandths = 0;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    std::uint64_t scale = kThousand;
    for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1)) {
      if ((scale /= 10) == 0) return std::nullopt;
      thousandths += static_cast<std::uint64_t>(text[0] - '0') * scale;
    }
  }
  for (const auto& unit : units) {
    if (unit.suffix != text) continue;
    if ((thousandths != 0 && unit.factor == 1) || *whole > kMost / unit.factor) return std::nullopt;
    return *whole * unit.factor + thousandths * unit.factor / kThousand;
  }
  return std::nullopt;
}

// A code point as UTF-8, halves of surrogates too; U+FFFD for what is beyond 0x10FFFF.
void append_utf8(std::string& out, std::uint32_t point);

}  // namespace langsbx
