// A fixed table of names with values, made at compile time; most lookups end at the first byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>

#include "languages/scanner/words.h"

namespace langsbx::languages::scanner {

template <typename Value>
struct NameEntry {
  std::string_view name;
  Value value;
};

// Finds the entries of a list by their names.
template <const auto& kEntries>
class NameMap {
 public:
  using Value = std::remove_cvref_t<decltype(kEntries[0].value)>;

  constexpr NameMap() {
    for (std::size_t i = 0; i < kCount; ++i) {
      const std::string_view name = kEntries[i].name;
      lengths_[first(name)] |= length_bit(name);
      std::size_t slot = hash(name) % kSlots;
      while (slots_[slot] != 0) slot = (slot + 1) % kSlots;
      slots_[slot] = static_cast<std::uint16_t>(i + 1);
      words_.add(name);
    }
  }

  // Names of this table, by their hashes.
  [[nodiscard]] constexpr const WordFilter& words() const { return words_; }

  [[nodiscard]] constexpr const Value* find(std::string_view name) const {
    if (name.empty() || (lengths_[first(name)] & length_bit(name)) == 0) return nullptr;
    for (std::size_t slot = hash(name) % kSlots; slots_[slot] != 0; slot = (slot + 1) % kSlots) {
      const auto& entry = kEntries[slots_[slot] - 1U];
      if (entry.name == name) return &entry.value;
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t power_above(std::size_t count) {
    std::size_t power = 1;
    while (power < count) power *= 2;
    return power;
  }
  static constexpr std::size_t kCount = std::size(kEntries);
  static constexpr std::size_t kSlots = power_above(kCount * 2 + 1);

  static constexpr std::size_t first(std::string_view name) {
    return static_cast<unsigned char>(name[0]);
  }
  static constexpr std::uint32_t length_bit(std::string_view name) {
    return 1U << (name.size() < 31 ? name.size() : 31);
  }
  static constexpr std::size_t hash(std::string_view name) { return name_hash(name); }

  std::array<std::uint32_t, 256> lengths_{};
  std::array<std::uint16_t, kSlots> slots_{};
  WordFilter words_;
};

}  // namespace langsbx::languages::scanner
