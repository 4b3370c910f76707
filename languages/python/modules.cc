// Look-ups in the module tables: binary search by name, then by the longest known parent.
#include "languages/python/modules.h"

#include <algorithm>
#include <span>

#include "languages/python/member_table.h"
#include "languages/python/module_table.h"

namespace langsbx::languages::python {
namespace {

const ModuleInfo* exact(std::span<const ModuleInfo> table, std::string_view name) {
  const auto at = std::lower_bound(
      table.begin(), table.end(), name,
      [](const ModuleInfo& info, std::string_view wanted) { return info.name < wanted; });
  return at != table.end() && at->name == name ? &*at : nullptr;
}

// Whether " a b c " lists `name`.
bool lists(std::string_view names, std::string_view name) {
  for (std::size_t at = names.find(name); at != std::string_view::npos;
       at = names.find(name, at + 1)) {
    if (names[at - 1] == ' ' && names[at + name.size()] == ' ') return true;
  }
  return false;
}

static_assert(std::is_sorted(kModules.begin(), kModules.end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
static_assert(std::is_sorted(kThirdParty.begin(), kThirdParty.end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));

}  // namespace

const ModuleInfo* find_module(std::string_view dotted) {
  while (!dotted.empty()) {
    if (const ModuleInfo* found = exact(kModules, dotted)) return found;
    if (const ModuleInfo* found = exact(kThirdParty, dotted)) return found;
    const std::size_t dot = dotted.rfind('.');
    dotted = dot == std::string_view::npos ? std::string_view() : dotted.substr(0, dot);
  }
  return nullptr;
}

std::optional<MemberInfo> find_member(std::string_view module, std::string_view member) {
  std::optional<MemberInfo> rest;
  for (const MemberGroup& group : kMembers) {
    if (group.module != module) continue;
    if (lists(group.members, member)) return MemberInfo{group.capability, group.use};
    if (lists(group.members, "*")) rest = MemberInfo{group.capability, group.use};
  }
  return rest;
}

bool leaks_module(std::string_view module, std::string_view attribute) {
  for (const LeakInfo& leak : kLeaks) {
    if (leak.module == module) return lists(leak.attributes, attribute);
  }
  return false;
}

bool is_submodule(std::string_view dotted) {
  return exact(kModules, dotted) != nullptr || exact(kThirdParty, dotted) != nullptr;
}

}  // namespace langsbx::languages::python
