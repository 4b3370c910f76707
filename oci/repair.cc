// Finds what is no text in a JSON document: one pass, and a copy only when there is something.
#include "oci/repair.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace langsbx::oci {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool has_high_byte(std::string_view text) {
  constexpr std::uint64_t kHigh = 0x8080808080808080U;
  std::uint64_t found = 0;
  std::size_t at = 0;
  for (; at + sizeof found <= text.size(); at += sizeof found) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    found |= word & kHigh;
  }
  for (; at < text.size(); ++at) found |= byte_at(text, at) & 0x80U;
  return found != 0;
}

// How many bytes the character at the front has; 0 when it is none: cut short, longer than it need
// be, a surrogate, beyond U+10FFFF.
std::size_t character_length(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (text.size() < length) return 0;
  const unsigned lowest = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned highest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte_at(text, 1) < lowest || byte_at(text, 1) > highest) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte_at(text, i) & 0xc0U) != 0x80) return 0;
  }
  return length;
}

// The number of "\uXXXX" at the front.
std::optional<unsigned> unicode_escape(std::string_view text) {
  constexpr std::size_t kLength = 6;
  if (!text.starts_with("\\u") || text.size() < kLength) return std::nullopt;
  unsigned number = 0;
  for (const char digit : text.substr(2, kLength - 2)) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const char lower =
        digit >= 'A' && digit <= 'F' ? static_cast<char>(digit + ('a' - 'A')) : digit;
    const auto value = kDigits.find(lower);
    if (value == std::string_view::npos) return std::nullopt;
    number = number * 16 + static_cast<unsigned>(value);
  }
  return number;
}

bool is_high_surrogate(unsigned number) { return number >= 0xd800 && number < 0xdc00; }
bool is_low_surrogate(unsigned number) { return number >= 0xdc00 && number < 0xe000; }

// How many bytes the escape at the front has; 0 when it is half of a surrogate pair.
std::size_t escape_length(std::string_view text) {
  constexpr std::size_t kUnicode = 6;
  const auto number = unicode_escape(text);
  if (!number) return std::min<std::size_t>(2, text.size());
  if (is_low_surrogate(*number)) return 0;
  if (!is_high_surrogate(*number)) return kUnicode;
  const auto second = unicode_escape(text.substr(kUnicode));
  return second && is_low_surrogate(*second) ? 2 * kUnicode : 0;
}

}  // namespace

std::optional<std::string> repaired(std::string_view json) {
  if (!has_high_byte(json) && json.find('\\') == std::string_view::npos) return std::nullopt;
  std::optional<std::string> copy;
  std::size_t kept = 0;  // up to here everything is in the copy
  for (std::size_t at = 0; at < json.size();) {
    const std::string_view rest = json.substr(at);
    const bool escape = rest.front() == '\\';
    const std::size_t length = escape ? escape_length(rest) : character_length(rest);
    if (length != 0) {
      at += length;
      continue;
    }
    if (!copy) copy.emplace();
    copy->append(json.substr(kept, at - kept)).append(kReplacement);
    at += escape ? std::string_view("\\uXXXX").size() : 1;
    kept = at;
  }
  if (copy) copy->append(json.substr(kept));
  return copy;
}

}  // namespace langsbx::oci
