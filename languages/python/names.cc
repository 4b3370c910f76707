// The table of known names and its hash.
#include "languages/python/names.h"

#include "languages/python/name_table.h"

namespace langsbx::languages::python {
namespace {

static_assert(kNames.size() * 4 < kNameSlots, "the probe relies on a sparse table");
static_assert(kNames[kFirstPlainName - 1].text == "exec", "KnownName and table disagree");

constexpr auto make_infos() {
  std::array<NameInfo, kNames.size()> infos{};
  for (std::size_t i = 0; i < kNames.size(); ++i) infos[i] = {kNames[i].uses, kNames[i].capability};
  return infos;
}

constexpr auto kInfos = make_infos();

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

const NameInfo& name_info(std::uint16_t index) { return kInfos[index]; }

std::string_view name_text(std::uint16_t index) { return kNames[index].text; }

bool begins_known_name(std::string_view prefix) {
  for (std::size_t i = 0; i < kInfos.size(); ++i) {
    if ((kInfos[i].uses & kKeyword) == 0 && kNames[i].text.starts_with(prefix)) return true;
  }
  return false;
}

}  // namespace langsbx::languages::python
