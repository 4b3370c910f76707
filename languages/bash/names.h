// A table from names to values in an arena: open addressing, hashed by the first and last bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "languages/bash/arena.h"

namespace langsbx::languages::bash {

template <typename T>
[[nodiscard]] constexpr std::uint64_t load_bytes(const char* from) {
  if (std::is_constant_evaluated() || std::endian::native != std::endian::little) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(from[i])) << (8 * i);
    }
    return value;
  }
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// A name of up to eight bytes as one number.
[[nodiscard]] constexpr std::uint64_t pack_name(std::string_view name) {
  const std::size_t size = name.size();
  const char* data = name.data();
  if (size >= 8) return load_bytes<std::uint64_t>(data);
  if (size >= 4) {
    return load_bytes<std::uint32_t>(data) | load_bytes<std::uint32_t>(data + size - 4)
                                                 << 8 * (size - 4);
  }
  if (size == 0) return 0;
  return load_bytes<std::uint8_t>(data) |
         load_bytes<std::uint8_t>(data + size / 2) << 8 * (size / 2) |
         load_bytes<std::uint8_t>(data + size - 1) << 8 * (size - 1);
}

// All bytes count: eight at a time, the last eight overlapping those before.
[[nodiscard]] constexpr std::uint32_t hash_name(std::string_view name) {
  const auto mix = [](std::uint64_t hash, std::uint64_t bytes) {
    hash = (hash ^ bytes) * 0x9E3779B97F4A7C15U;
    return hash ^ hash >> 29U;
  };
  const std::size_t size = name.size();
  const char* data = name.data();
  std::uint64_t hash = size;
  if (size >= 8) {
    for (std::size_t at = 0; at + 8 < size; at += 8) {
      hash = mix(hash, load_bytes<std::uint64_t>(data + at));
    }
    hash = mix(hash, load_bytes<std::uint64_t>(data + size - 8));
  } else if (size >= 4) {
    hash = mix(hash,
               load_bytes<std::uint32_t>(data) << 32U | load_bytes<std::uint32_t>(data + size - 4));
  } else if (size > 0) {
    hash =
        mix(hash, load_bytes<std::uint8_t>(data) | load_bytes<std::uint8_t>(data + size / 2) << 8U |
                      load_bytes<std::uint8_t>(data + size - 1) << 16U);
  }
  return static_cast<std::uint32_t>(hash >> 32U);
}

// Names are short: compared in place, without a call.
[[nodiscard]] constexpr bool same_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const std::size_t size = a.size();
  if (size <= 8) return pack_name(a) == pack_name(b);
  for (std::size_t at = 0; at + 8 < size; at += 8) {
    if (load_bytes<std::uint64_t>(a.data() + at) != load_bytes<std::uint64_t>(b.data() + at)) {
      return false;
    }
  }
  return load_bytes<std::uint64_t>(a.data() + size - 8) ==
         load_bytes<std::uint64_t>(b.data() + size - 8);
}

template <typename T>
class Names {
 public:
  explicit Names(Arena& arena) : arena_(arena) {}

  [[nodiscard]] T* find(std::string_view name) const {
    return used_ == 0 ? nullptr : find(name, hash_name(name));
  }
  [[nodiscard]] T* find(std::string_view name, std::uint32_t hash) const {
    return used_ == 0 ? nullptr : slots_[place(name, hash)].value;
  }

  // Made when it is not there. `name` must outlive the table.
  T& slot(std::string_view name) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    const std::uint32_t hash = hash_name(name);
    Slot& slot = slots_[place(name, hash)];
    if (slot.value == nullptr) {
      slot = {name, arena_.make<T>(), hash};
      ++used_;
    }
    return *slot.value;
  }

  // Slots that searches looked at beyond the first: names can be chosen to collide.
  [[nodiscard]] std::size_t steps() const { return steps_; }

 private:
  struct Slot {
    std::string_view name;
    T* value = nullptr;
    std::uint32_t hash = 0;
  };

  [[nodiscard]] std::size_t place(std::string_view name, std::uint32_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].value != nullptr &&
           (slots_[at].hash != hash || !same_name(slots_[at].name, name))) {
      at = (at + 1) & mask;
      ++steps_;
    }
    return at;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 4 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.value == nullptr) continue;
      std::size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].value != nullptr) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  Arena& arena_;
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  mutable std::size_t steps_ = 0;
};

}  // namespace langsbx::languages::bash
