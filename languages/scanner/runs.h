// Runs of bytes of one kind, sixteen at a time where the processor can: names and strings end at
// lengths that no branch predictor guesses, so a loop a byte costs more than its instructions.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "languages/byte_blocks.h"

namespace langsbx::languages::scanner {

[[nodiscard]] constexpr bool is_plain_name_byte(char c, char extra) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == extra;
}

// The end of the run of ASCII letters, digits, _ and `extra` from `at`.
[[nodiscard]] inline std::size_t end_of_name(std::string_view text, std::size_t at, char extra) {
#if defined(__SSE2__)
  while (at + 16 <= text.size()) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    const __m128i letters =
        _mm_sub_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    const __m128i digits = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    const __m128i name =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(letters, _mm_set1_epi8(25)), letters),
                                  _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits)),
                     _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('_')),
                                  _mm_cmpeq_epi8(bytes, _mm_set1_epi8(extra))));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(name));
    if (mask != 0xFFFFU) return at + static_cast<std::size_t>(std::countr_one(mask));
    at += 16;
  }
#endif
  while (at < text.size() && is_plain_name_byte(text[at], extra)) ++at;
  return at;
}

// The end of the run of blanks and tabs from `at`.
[[nodiscard]] inline std::size_t end_of_blanks(std::string_view text, std::size_t at) {
#if defined(__SSE2__)
  while (at + 16 <= text.size()) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    const __m128i blank = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')),
                                       _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\t')));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(blank));
    if (mask != 0xFFFFU) return at + static_cast<std::size_t>(std::countr_one(mask));
    at += 16;
  }
#endif
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  return at;
}

// The first of `quote`, \, a line end or a byte outside ASCII from `at`; the size when there is
// none.
[[nodiscard]] inline std::size_t find_in_string(std::string_view text, std::size_t at, char quote) {
#if defined(__SSE2__)
  while (at + 16 <= text.size()) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    const __m128i ends = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(quote)),
                                                   _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))),
                                      _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')),
                                                   _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r'))));
    // The sign bit of a byte outside ASCII counts as well.
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(ends, bytes)));
    if (mask != 0) return at + static_cast<std::size_t>(std::countr_zero(mask));
    at += 16;
  }
#endif
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == quote || c == '\\' || c == '\n' || c == '\r') break;
    if (static_cast<unsigned char>(c) >= 0x80) break;
  }
  return at;
}

// A line from `at`: where its \n or the text ends, and whether there is anything in it that needs
// a second look.
struct Line {
  std::size_t end;
  bool special;    // CR, NUL or a byte outside ASCII
  bool backslash;  // a backslash
};
[[nodiscard]] inline Line read_line(std::string_view text, std::size_t at) {
  std::uint32_t special = 0;
  std::uint32_t backslash = 0;
  for (; at + kBlock <= text.size(); at += kBlock) {
    const Block block(text.data() + at);
    const std::uint32_t ends = block.equal('\n');
    const std::uint32_t before = ends == 0 ? 0xffffU : (ends & (0U - ends)) - 1;
    special |= block.special() & before;
    backslash |= block.equal('\\') & before;
    if (ends != 0) return {at + first_of(ends), special != 0, backslash != 0};
  }
  for (; at < text.size() && text[at] != '\n'; ++at) {
    const char c = text[at];
    if (c == '\r' || c == '\0' || static_cast<unsigned char>(c) >= 0x80) special = 1;
    if (c == '\\') backslash = 1;
  }
  return {at, special != 0, backslash != 0};
}

// The first of three characters from `at`; the size when there is none.
[[nodiscard]] inline std::size_t find_any(std::string_view text, std::size_t at, char a, char b,
                                          char c) {
  for (; at + kBlock <= text.size(); at += kBlock) {
    const std::uint32_t found = Block(text.data() + at).equal(a, b, c);
    if (found != 0) return at + first_of(found);
  }
  while (at < text.size() && text[at] != a && text[at] != b && text[at] != c) ++at;
  return at;
}

// The first `first` from `at` with `second` or `other` behind it; the size when there is none.
[[nodiscard]] inline std::size_t find_pair(std::string_view text, std::size_t at, char first,
                                           char second, char other) {
  for (; at + kBlock + 1 <= text.size(); at += kBlock) {
    const std::uint32_t found =
        Block(text.data() + at).equal(first) & Block(text.data() + at + 1).equal(second, other);
    if (found != 0) return at + first_of(found);
  }
  for (; at + 1 < text.size(); ++at) {
    if (text[at] == first && (text[at + 1] == second || text[at + 1] == other)) return at;
  }
  return text.size();
}

}  // namespace langsbx::languages::scanner
