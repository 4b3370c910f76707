// Look-ups in the module tables: binary search by name, then by the longest known parent.
#include "languages/python/modules.h"

#include <algorithm>
#include <span>

#include "languages/python/member_table.h"
#include "languages/python/module_table.h"
#include "languages/python/package_table.h"

namespace langsbx::languages::python {
namespace {

const ModuleInfo* exact(std::span<const ModuleInfo> table, std::string_view name) {
  const auto at = std::lower_bound(
      table.begin(), table.end(), name,
      [](const ModuleInfo& info, std::string_view wanted) { return info.name < wanted; });
  return at != table.end() && at->name == name ? &*at : nullptr;
}

std::string_view names_of(std::span<const LeakInfo> table, std::string_view module) {
  const auto at = std::lower_bound(
      table.begin(), table.end(), module,
      [](const LeakInfo& leak, std::string_view wanted) { return leak.module < wanted; });
  return at != table.end() && at->module == module ? at->attributes : std::string_view();
}

// Whether " a b c " lists `name`.
bool lists(std::string_view names, std::string_view name) {
  for (std::size_t at = names.find(name); at != std::string_view::npos;
       at = names.find(name, at + 1)) {
    if (names[at - 1] == ' ' && names[at + name.size()] == ' ') return true;
  }
  return false;
}

// The groups of one module stand together, sorted by its name.
std::span<const MemberGroup> groups_of(std::string_view module) {
  const auto first = std::lower_bound(
      kMembers.begin(), kMembers.end(), module,
      [](const MemberGroup& group, std::string_view wanted) { return group.module < wanted; });
  auto last = first;
  while (last != kMembers.end() && last->module == module) ++last;
  return {first, last};
}

// Modules whose underscore names ordinary programs do use.
constexpr std::string_view kOpenInside =
    " argparse typing threading re datetime random collections abc unittest json heapq decimal "
    "fractions math numbers itertools queue time weakref copy ast os sys contextvars socket "
    "_thread io tempfile ";

static_assert(std::is_sorted(kMembers.begin(), kMembers.end(),
                             [](const auto& a, const auto& b) { return a.module < b.module; }));
static_assert(std::is_sorted(kSubmodules.begin(), kSubmodules.end(),
                             [](const auto& a, const auto& b) { return a.module < b.module; }));
static_assert(std::is_sorted(kLeaks.begin(), kLeaks.end(),
                             [](const auto& a, const auto& b) { return a.module < b.module; }));
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
  for (const MemberGroup& group : groups_of(module)) {
    if (lists(group.members, member)) return MemberInfo{group.capability, group.use};
    if (lists(group.members, "*")) rest = MemberInfo{group.capability, group.use};
  }
  return rest;
}

std::string_view leaks_of(std::string_view module) { return names_of(kLeaks, module); }

bool leaks_module(std::string_view module, std::string_view attribute) {
  return lists(leaks_of(module), attribute);
}

bool guarded(const ModuleInfo& module) {
  if (module.mixed) return true;
  if (module.name == "os.path") return false;  // all that counts in it is closed by name
  if (exact(kModules, module.name) == nullptr) return false;
  const std::span<const MemberGroup> groups = groups_of(module.name);
  return std::any_of(groups.begin(), groups.end(),
                     [](const MemberGroup& group) { return group.use != MemberUse::kSafe; });
}

bool third_party(std::string_view module) {
  return exact(kThirdParty, module.substr(0, module.find('.'))) != nullptr;
}

bool closed_inside(std::string_view module, std::string_view member) {
  if (!member.starts_with('_') || member.starts_with("__")) return false;
  if (lists(kOpenInside, module.substr(0, module.find('.')))) return false;
  return exact(kModules, module) != nullptr || module == "unittest.mock";
}

std::vector<std::string_view> judged_members(std::string_view module) {
  std::vector<std::string_view> found;
  for (const MemberGroup& group : groups_of(module)) {
    if (group.use == MemberUse::kSafe) continue;
    std::string_view rest = group.members;
    while (true) {
      const std::size_t start = rest.find_first_not_of(' ');
      if (start == std::string_view::npos) break;
      rest.remove_prefix(start);
      const std::size_t end = std::min(rest.find(' '), rest.size());
      if (rest[0] != '*') found.push_back(rest.substr(0, end));
      rest.remove_prefix(end);
    }
  }
  return found;
}

bool is_submodule(std::string_view dotted) {
  const std::size_t dot = dotted.rfind('.');
  if (dot != std::string_view::npos && dot > 0) {
    const std::string_view children = names_of(kSubmodules, dotted.substr(0, dot));
    if (lists(children, dotted.substr(dot + 1))) return true;
  }
  return exact(kModules, dotted) != nullptr || exact(kThirdParty, dotted) != nullptr;
}

}  // namespace langsbx::languages::python
