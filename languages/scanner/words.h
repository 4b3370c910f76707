// Sixteen bits of a name, and sets that say "not one of mine" by them without looking at its text.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace langsbx::languages::scanner {

// `low`: the first eight bytes, `high`: the last eight, both the whole of a shorter name.
[[nodiscard]] constexpr std::uint16_t mix_name(std::uint64_t low, std::uint64_t high,
                                               std::size_t length) {
  const std::uint64_t mixed =
      (low ^ (length << 57U)) * 0x9E3779B97F4A7C15U + (high ^ (high >> 29U)) * 0xC2B2AE3D27D4EB4FU;
  return static_cast<std::uint16_t>((mixed ^ (mixed >> 21U)) >> 28U);
}

[[nodiscard]] constexpr std::uint64_t eight_bytes(std::string_view text) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < text.size() && i < 8; ++i) {
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  }
  return word;
}

[[nodiscard]] constexpr std::uint16_t name_hash(std::string_view name) {
  const std::size_t last = name.size() > 8 ? name.size() - 8 : 0;
  return mix_name(eight_bytes(name), eight_bytes(name.substr(last)), name.size());
}

// The same for the name [start, end) of `text`: no loop where eight bytes can be read.
[[nodiscard, gnu::always_inline]] inline std::uint16_t name_hash(std::string_view text,
                                                                 std::size_t start,
                                                                 std::size_t end) {
  const std::size_t length = end - start;
  if (std::endian::native != std::endian::little || start + 8 > text.size() || length == 0) {
    return name_hash(text.substr(start, length));
  }
  const std::uint64_t mask = length >= 8 ? ~0ULL : (1ULL << (8 * length)) - 1;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::memcpy(&low, text.data() + start, 8);
  std::memcpy(&high, text.data() + start + (length > 8 ? length - 8 : 0), 8);
  return mix_name(low & mask, high & mask, length);
}

// Whether two texts are equal, without a call for the lengths that names have.
[[nodiscard, gnu::always_inline]] inline bool same_name(std::string_view a, std::string_view b) {
  const std::size_t length = a.size();
  if (length != b.size()) return false;
  if (length < 8 || length > 16) return a == b;
  std::uint64_t words[4];
  std::memcpy(&words[0], a.data(), 8);
  std::memcpy(&words[1], b.data(), 8);
  std::memcpy(&words[2], a.data() + length - 8, 8);
  std::memcpy(&words[3], b.data() + length - 8, 8);
  return words[0] == words[1] && words[2] == words[3];
}

// A set of names by their hashes. "Maybe" means: look at the text; "no" is certain.
class WordFilter {
 public:
  constexpr WordFilter() = default;
  template <std::size_t Count>
  constexpr explicit WordFilter(const std::array<std::string_view, Count>& names) {
    for (const std::string_view name : names) add(name);
  }

  constexpr void add(std::string_view name) {
    const std::uint16_t hash = name_hash(name);
    bits_[(hash >> 6U) % kWords] |= 1ULL << (hash % 64U);
  }
  constexpr void add(const WordFilter& other) {
    for (std::size_t i = 0; i < kWords; ++i) bits_[i] |= other.bits_[i];
  }
  [[nodiscard]] constexpr bool may_hold(std::uint16_t hash) const {
    return (bits_[(hash >> 6U) % kWords] >> (hash % 64U) & 1U) != 0;
  }

 private:
  static constexpr std::size_t kWords = 128;
  std::array<std::uint64_t, kWords> bits_{};
};

inline constexpr WordFilter kNoWords;

}  // namespace langsbx::languages::scanner
