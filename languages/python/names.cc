// The table of known names and its hash.
#include "languages/python/names.h"

#include <array>

#include "languages/python/name_table.h"

namespace langsbx::languages::python {
namespace {

constexpr std::size_t kSlots = 4096;
static_assert(kNames.size() * 4 < kSlots, "the probe relies on a sparse table");
static_assert(kNames[kFirstPlainName - 1].text == "argv", "KnownName and table disagree");

// The rest of the hash stands beside the index, so that a miss touches no text.
struct Slot {
  std::uint16_t name = 0;
  std::uint16_t check = 0;
};

constexpr std::array<Slot, kSlots> make_slots() {
  std::array<Slot, kSlots> slots{};
  for (std::size_t i = 1; i < kNames.size(); ++i) {
    const std::uint32_t hash = hash_name(kNames[i].text);
    std::size_t slot = hash % kSlots;
    while (slots[slot].name != 0) slot = (slot + 1) % kSlots;
    slots[slot] = {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(hash >> 16U)};
  }
  return slots;
}

constexpr auto kTable = make_slots();

}  // namespace

const NameInfo& name_info(std::uint16_t index) { return kNames[index]; }

std::uint16_t find_name(std::string_view name, std::uint32_t hash) {
  for (std::size_t slot = hash % kSlots; kTable[slot].name != 0; slot = (slot + 1) % kSlots) {
    if (kTable[slot].check == hash >> 16U && kNames[kTable[slot].name].text == name) {
      return kTable[slot].name;
    }
  }
  return 0;
}

}  // namespace langsbx::languages::python
