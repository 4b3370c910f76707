// The table of known names and its hash.
#include "languages/python/names.h"

#include "languages/python/name_table.h"

namespace langsbx::languages::python {
namespace {

static_assert(kNames.size() * 4 < kNameSlots, "the probe relies on a sparse table");
static_assert(kNames[kFirstPlainName - 1].text == "suffix", "KnownName and table disagree");

constexpr NameTable make_table() {
  NameTable table{};
  const auto ordinary = [](std::size_t i) {
    if (i == kImport || i == kFrom || i == kAs || i == kDef || i == kClass) return false;
    return (kNames[i].uses & kKeyword) != 0 || i == kSelf || i == kCls || i == kSuper ||
           i == kStr || i == kIsinstance || i == kIssubclass || i == kObjectName;
  };
  for (std::size_t i = 1; i < kNames.size(); ++i) {
    table.asked[i] = !ordinary(i);
    table.keys[i] = name_key(kNames[i].text);
    const std::uint32_t hash = table.keys[i].hash();
    std::size_t slot = hash % kNameSlots;
    while (table.slots[slot].name != 0) slot = (slot + 1) % kNameSlots;
    table.slots[slot] = {static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(hash >> 16U)};
  }
  return table;
}

}  // namespace

constexpr NameTable kNameTable = make_table();

const NameInfo& name_info(std::uint16_t index) { return kNames[index]; }

bool begins_known_name(std::string_view prefix) {
  for (const NameInfo& info : kNames) {
    if ((info.uses & kKeyword) == 0 && info.text.starts_with(prefix)) return true;
  }
  return false;
}

}  // namespace langsbx::languages::python
