// Splitting, trimming, bytes of UTF-8.
#include "runtime/base/text.h"

#include <algorithm>

namespace langsbx {

std::string_view trim(std::string_view text, std::string_view set) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(set)));
  return text.substr(0, text.find_last_not_of(set) + 1);
}

std::string_view take_word(std::string_view& rest, std::string_view separators) {
  rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(separators)));
  const std::string_view word = rest.substr(0, rest.find_first_of(separators));
  rest.remove_prefix(word.size());
  return word;
}

std::string_view take_part(std::string_view& rest, char separator) {
  const std::string_view part = rest.substr(0, rest.find(separator));
  rest.remove_prefix(std::min(rest.size(), part.size() + 1));
  return part;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  if (text.empty()) return parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> words_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  for (auto word = take_word(text, separators); !word.empty(); word = take_word(text, separators)) {
    words.push_back(word);
  }
  return words;
}

std::string lower(std::string_view text) {
  std::string made(text);
  std::transform(made.begin(), made.end(), made.begin(), [](char letter) { return lower(letter); });
  return made;
}

void append_utf8(std::string& out, std::uint32_t point) {
  constexpr std::uint32_t kLast = 0x10FFFF;
  constexpr std::uint32_t kReplacement = 0xFFFD;
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  const auto put_rest = [&](unsigned shift) { put(0x80U | ((point >> shift) & 0x3FU)); };
  if (point > kLast) point = kReplacement;
  if (point < 0x80) return put(point);
  if (point < 0x800) {
    put(0xC0U | point >> 6U);
  } else if (point < 0x10000) {
    put(0xE0U | point >> 12U);
    put_rest(6);
  } else {
    put(0xF0U | point >> 18U);
    put_rest(12);
    put_rest(6);
  }
  put_rest(0);
}

}  // namespace langsbx
