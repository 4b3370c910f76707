// Sixteen bytes at a time: which of them are of a kind, as a mask with a bit a byte. SSE2 belongs
// to every x86-64; other machines take the loops.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace langsbx::languages {

inline constexpr std::size_t kBlock = 16;

#if defined(__SSE2__)

class Block {
 public:
  // Sixteen bytes at `from` must be readable.
  explicit Block(const char* from)
      : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))) {}

  [[nodiscard]] std::uint32_t equal(char c) const { return mask(is(c)); }
  [[nodiscard]] std::uint32_t equal(char a, char b) const {
    return mask(_mm_or_si128(is(a), is(b)));
  }
  [[nodiscard]] std::uint32_t equal(char a, char b, char c) const {
    return mask(_mm_or_si128(_mm_or_si128(is(a), is(b)), is(c)));
  }
  // Bytes of 0x80 and above.
  [[nodiscard]] std::uint32_t high() const { return mask(bytes_); }
  // Letters, digits, '_' and bytes of 0x80 and above.
  [[nodiscard]] std::uint32_t name() const {
    const __m128i folded = _mm_or_si128(bytes_, _mm_set1_epi8(0x20));
    const __m128i letter = below(folded, 'a', 26);
    const __m128i digit = below(bytes_, '0', 10);
    return mask(_mm_or_si128(_mm_or_si128(letter, digit), _mm_or_si128(is('_'), bytes_)));
  }
  // Letters, digits and '_'.
  [[nodiscard]] std::uint32_t ascii_name() const { return name() & ~high(); }
  // The same, bytes of 0x80 and above, and + , - . / : =
  [[nodiscard]] std::uint32_t word() const {
    const __m128i folded = _mm_or_si128(bytes_, _mm_set1_epi8(0x20));
    const __m128i ranges = _mm_or_si128(below(folded, 'a', 26), below(bytes_, '+', 16));
    return mask(_mm_or_si128(_mm_or_si128(ranges, _mm_or_si128(is('_'), is('='))), bytes_));
  }
  // Bytes of 0x80 and above, NUL and CR.
  [[nodiscard]] std::uint32_t special() const {
    return mask(_mm_or_si128(_mm_or_si128(is('\0'), is('\r')), bytes_));
  }

 private:
  [[nodiscard]] static std::uint32_t mask(__m128i bits) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(bits));
  }
  [[nodiscard]] __m128i is(char c) const { return _mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c)); }
  // first <= byte < first + count, by one signed comparison.
  [[nodiscard]] static __m128i below(__m128i bytes, char first, int count) {
    const __m128i moved = _mm_add_epi8(bytes, _mm_set1_epi8(static_cast<char>(-128 - first)));
    return _mm_cmplt_epi8(moved, _mm_set1_epi8(static_cast<char>(-128 + count)));
  }

  __m128i bytes_;
};

#else

class Block {
 public:
  explicit Block(const char* from) { std::memcpy(bytes_, from, kBlock); }

  [[nodiscard]] std::uint32_t equal(char c) const {
    return mask([=](char byte) { return byte == c; });
  }
  [[nodiscard]] std::uint32_t equal(char a, char b) const {
    return mask([=](char byte) { return byte == a || byte == b; });
  }
  [[nodiscard]] std::uint32_t equal(char a, char b, char c) const {
    return mask([=](char byte) { return byte == a || byte == b || byte == c; });
  }
  [[nodiscard]] std::uint32_t high() const {
    return mask([](char byte) { return static_cast<unsigned char>(byte) >= 0x80; });
  }
  [[nodiscard]] std::uint32_t name() const {
    return mask([](char byte) {
      const auto folded = static_cast<unsigned char>(static_cast<unsigned char>(byte) | 0x20U);
      return (folded >= 'a' && folded <= 'z') || (byte >= '0' && byte <= '9') || byte == '_' ||
             static_cast<unsigned char>(byte) >= 0x80;
    });
  }
  [[nodiscard]] std::uint32_t ascii_name() const { return name() & ~high(); }
  [[nodiscard]] std::uint32_t word() const {
    return name() | mask([](char byte) { return (byte >= '+' && byte <= ':') || byte == '='; });
  }
  [[nodiscard]] std::uint32_t special() const {
    return mask([](char byte) {
      return byte == '\0' || byte == '\r' || static_cast<unsigned char>(byte) >= 0x80;
    });
  }

 private:
  template <typename Is>
  [[nodiscard]] std::uint32_t mask(Is is) const {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < kBlock; ++i) {
      if (is(bytes_[i])) bits |= 1U << i;
    }
    return bits;
  }

  char bytes_[kBlock];
};

#endif

// How many bytes of the block come before the first one of the mask; 16 when it is empty.
[[nodiscard]] inline std::size_t first_of(std::uint32_t mask) {
  return static_cast<std::size_t>(std::countr_zero(mask | 0x10000U));
}

// How many bytes of the block come before the first one that is not of the mask; 16 when all are.
[[nodiscard]] inline std::size_t run_of(std::uint32_t mask) { return first_of(~mask); }

// Where the first of three characters stands from `at` on; npos when none does.
[[nodiscard]] inline std::size_t find_any(std::string_view text, char a, char b, char c,
                                          std::size_t at = 0) {
  for (; at + kBlock <= text.size(); at += kBlock) {
    const std::size_t ahead = first_of(Block(text.data() + at).equal(a, b, c));
    if (ahead < kBlock) return at + ahead;
  }
  for (; at < text.size(); ++at) {
    if (text[at] == a || text[at] == b || text[at] == c) return at;
  }
  return std::string_view::npos;
}

// How often a character stands in a text.
[[nodiscard]] inline std::size_t count_of(std::string_view text, char c) {
  std::size_t count = 0;
  std::size_t at = 0;
#if defined(__SSE2__)
  const __m128i wanted = _mm_set1_epi8(c);
  while (at + kBlock <= text.size()) {
    // Each lane counts to 255 at most before the lanes are added up.
    __m128i lanes = _mm_setzero_si128();
    for (int n = 0; n < 255 && at + kBlock <= text.size(); ++n, at += kBlock) {
      const auto* from = reinterpret_cast<const __m128i*>(text.data() + at);
      lanes = _mm_sub_epi8(lanes, _mm_cmpeq_epi8(_mm_loadu_si128(from), wanted));
    }
    const __m128i sums = _mm_sad_epu8(lanes, _mm_setzero_si128());
    count += static_cast<std::size_t>(_mm_cvtsi128_si64(sums)) +
             static_cast<std::size_t>(_mm_cvtsi128_si64(_mm_srli_si128(sums, 8)));
  }
#endif
  if (at != text.size() && text.size() >= kBlock) {
    // The last block once more, without what has been counted.
    std::uint32_t mask = Block(text.data() + text.size() - kBlock).equal(c);
    mask >>= at + kBlock - text.size();
    for (; mask != 0; mask &= mask - 1) ++count;
    return count;
  }
  for (; at < text.size(); ++at) count += text[at] == c ? 1 : 0;
  return count;
}

}  // namespace langsbx::languages
