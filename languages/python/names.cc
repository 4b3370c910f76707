// The table of known names and its hash.
#include "languages/python/names.h"

#include <array>

#include "languages/python/name_table.h"

namespace langsbx::languages::python {
namespace {

constexpr std::size_t kSlots = 4096;
static_assert(kNames.size() * 4 < kSlots, "the probe relies on a sparse table");
static_assert(kNames[kFirstPlainName - 1].text == "__import__", "KnownName and table disagree");

constexpr std::array<std::uint16_t, kSlots> make_slots() {
  std::array<std::uint16_t, kSlots> slots{};
  for (std::size_t i = 1; i < kNames.size(); ++i) {
    std::size_t slot = hash_name(kNames[i].text) % kSlots;
    while (slots[slot] != 0) slot = (slot + 1) % kSlots;
    slots[slot] = static_cast<std::uint16_t>(i);
  }
  return slots;
}

constexpr auto kTable = make_slots();

}  // namespace

const NameInfo& name_info(std::uint16_t index) { return kNames[index]; }

std::uint16_t find_name(std::string_view name, std::uint32_t hash) {
  for (std::size_t slot = hash % kSlots; kTable[slot] != 0; slot = (slot + 1) % kSlots) {
    if (kNames[kTable[slot]].text == name) return kTable[slot];
  }
  return 0;
}

}  // namespace langsbx::languages::python
