// Look-ups in the module tables, by one hash index over the names of all of them.
#include "languages/python/modules.h"

#include <algorithm>
#include <array>
#include <span>

#include "languages/python/member_table.h"
#include "languages/python/module_table.h"
#include "languages/python/names.h"
#include "languages/python/package_table.h"
#include "languages/python/wrapper_table.h"

namespace langsbx::languages::python {
namespace {

constexpr std::size_t kSlots = 4096;
constexpr std::uint16_t kNone = 0xFFFF;

// A MemberGroup.
struct Group {
  Capability capability = Capability::kNone;
  MemberUse use = MemberUse::kPlain;
  std::uint16_t row = 0;

  [[nodiscard]] constexpr std::string_view members() const { return kMembers[row].members; }
};

// A place in a table: of all of them there are fewer than kSlots.
constexpr std::uint16_t narrow(std::size_t place) { return static_cast<std::uint16_t>(place); }

constexpr auto make_groups() {
  std::array<Group, kMembers.size()> groups{};
  for (std::size_t i = 0; i < kMembers.size(); ++i) {
    groups[i] = {kMembers[i].capability, kMembers[i].use, narrow(i)};
  }
  return groups;
}

constexpr auto kGroups = make_groups();

// Functions of the library that hand their arguments on; those that open files are given paths.
constexpr MemberUse wrapper_use(Capability capability) {
  const bool file = capability == Capability::kFilesRead || capability == Capability::kFilesWrite ||
                    capability == Capability::kFilesDelete;
  return file ? MemberUse::kPath : MemberUse::kPlain;
}

// What the tables say of one dotted name: places in them.
struct Known {
  std::uint16_t module = kNone;
  std::uint16_t package = kNone;
  std::uint16_t leaks = kNone;
  std::uint16_t submodules = kNone;
  std::uint16_t members = 0;  // the groups [members, members_end)
  std::uint16_t members_end = 0;
  std::uint16_t wrappers = 0;  // rows of kWrapperFunctions, likewise
  std::uint16_t wrappers_end = 0;

  // Whichever table has a place for it names it.
  [[nodiscard]] constexpr std::string_view name() const {
    if (module != kNone) return kModules[module].name;
    if (package != kNone) return kThirdParty[package].name;
    if (leaks != kNone) return kLeaks[leaks].module;
    if (submodules != kNone) return kSubmodules[submodules].module;
    if (members_end != 0) return kMembers[members].module;
    return wrappers_end != 0 ? kWrapperFunctions[wrappers].module : std::string_view();
  }
};

struct Index {
  std::array<std::uint16_t, kSlots> slots{};  // places in `known`, from 1
  std::array<Known, kModules.size() + kThirdParty.size() + kMembers.size() + kLeaks.size() +
                        kSubmodules.size() + kWrapperFunctions.size() + 1>
      known{};
  std::uint16_t used = 1;

  // The caller gives a new one its place at once: that names it.
  constexpr Known& entry(std::string_view name) {
    std::size_t slot = hash_name(name) % kSlots;
    while (slots[slot] != 0 && known[slots[slot]].name() != name) slot = (slot + 1) % kSlots;
    if (slots[slot] == 0) slots[slot] = used++;
    return known[slots[slot]];
  }
};

constexpr Index make_index() {
  Index index;
  for (std::size_t i = 0; i < kModules.size(); ++i)
    index.entry(kModules[i].name).module = narrow(i);
  for (std::size_t i = 0; i < kThirdParty.size(); ++i) {
    index.entry(kThirdParty[i].name).package = narrow(i);
  }
  for (std::size_t i = 0; i < kLeaks.size(); ++i) index.entry(kLeaks[i].module).leaks = narrow(i);
  for (std::size_t i = 0; i < kSubmodules.size(); ++i) {
    index.entry(kSubmodules[i].module).submodules = narrow(i);
  }
  for (std::size_t i = 0; i < kMembers.size(); ++i) {
    Known& known = index.entry(kMembers[i].module);
    if (known.members_end == 0) known.members = narrow(i);
    known.members_end = narrow(i + 1);
  }
  for (std::size_t i = 0; i < kWrapperFunctions.size(); ++i) {
    Known& known = index.entry(kWrapperFunctions[i].module);
    if (known.wrappers_end == 0) known.wrappers = narrow(i);
    known.wrappers_end = narrow(i + 1);
  }
  return index;
}

constexpr Index kIndex = make_index();
static_assert(std::size_t{kIndex.used} * 2 < kSlots, "the probe relies on a sparse table");

// The entry of a name; the first, empty one when there is none.
const Known& known(std::string_view name) {
  for (std::size_t slot = hash_name(name) % kSlots;; slot = (slot + 1) % kSlots) {
    const Known& found = kIndex.known[kIndex.slots[slot]];
    if (kIndex.slots[slot] == 0 || found.name() == name) return found;
  }
}

const ModuleInfo* library_module(std::string_view name) {
  const std::uint16_t at = known(name).module;
  return at == kNone ? nullptr : &kModules[at];
}

std::string_view submodules_of(std::string_view module) {
  const std::uint16_t at = known(module).submodules;
  return at == kNone ? std::string_view() : kSubmodules[at].attributes;
}

// Whether " a b c " lists `name`.
bool lists(std::string_view names, std::string_view name) {
  for (std::size_t at = names.find(name); at != std::string_view::npos;
       at = names.find(name, at + 1)) {
    if (names[at - 1] == ' ' && names[at + name.size()] == ' ') return true;
  }
  return false;
}

std::span<const Group> groups_of(std::string_view module) {
  const Known& found = known(module);
  return {kGroups.data() + found.members, kGroups.data() + found.members_end};
}

// Modules whose underscore names ordinary programs do use.
constexpr std::string_view kOpenInside =
    " argparse typing threading re datetime random collections abc unittest json heapq decimal "
    "fractions math numbers itertools queue time weakref copy ast os sys contextvars socket "
    "_thread io tempfile ";

static_assert(std::is_sorted(kMembers.begin(), kMembers.end(),
                             [](const auto& a, const auto& b) { return a.module < b.module; }),
              "the groups of one module stand together");

}  // namespace

const ModuleInfo* find_module(std::string_view dotted) {
  while (!dotted.empty()) {
    const Known& found = known(dotted);
    if (found.module != kNone) return &kModules[found.module];
    if (found.package != kNone) return &kThirdParty[found.package];
    const std::size_t dot = dotted.rfind('.');
    dotted = dot == std::string_view::npos ? std::string_view() : dotted.substr(0, dot);
  }
  return nullptr;
}

std::optional<MemberInfo> find_member(std::string_view module, std::string_view member) {
  if (module == "posixpath" || module == "ntpath" || module == "genericpath") module = "os.path";
  std::optional<MemberInfo> rest;
  const Known& found = known(module);
  for (std::size_t at = found.members; at < found.members_end; ++at) {
    const Group& group = kGroups[at];
    if (lists(group.members(), member)) return MemberInfo{group.capability, group.use};
    if (lists(group.members(), "*")) rest = MemberInfo{group.capability, group.use};
  }
  for (std::size_t row = found.wrappers; row < found.wrappers_end; ++row) {
    const Capability capability = kWrapperFunctions[row].capability;
    if (lists(kWrapperFunctions[row].members, member))
      return MemberInfo{capability, wrapper_use(capability)};
  }
  return rest;
}

bool listed_member(std::string_view module, std::string_view member) {
  for (const Group& group : groups_of(module)) {
    if (lists(group.members(), member)) return true;
  }
  return false;
}

std::string_view leaks_of(std::string_view module) {
  const std::uint16_t at = known(module).leaks;
  return at == kNone ? std::string_view() : kLeaks[at].attributes;
}

bool leaks_module(std::string_view module, std::string_view attribute) {
  return lists(leaks_of(module), attribute);
}

bool guarded(const ModuleInfo& module) {
  if (module.mixed) return true;
  if (module.name == "os.path") return false;  // all that counts in it is closed by name
  if (library_module(module.name) == nullptr) return false;
  const std::span<const Group> groups = groups_of(module.name);
  return std::any_of(groups.begin(), groups.end(),
                     [](const Group& group) { return group.use != MemberUse::kSafe; });
}

bool third_party(std::string_view module) {
  return known(module.substr(0, module.find('.'))).package != kNone;
}

bool closed_inside(std::string_view module, std::string_view member) {
  if (!member.starts_with('_') || member.starts_with("__")) return false;
  if (lists(kOpenInside, module.substr(0, module.find('.')))) return false;
  return library_module(module) != nullptr || module == "unittest.mock";
}

std::vector<std::string_view> judged_members(std::string_view module) {
  std::vector<std::string_view> found;
  for (const Group& group : groups_of(module)) {
    if (group.use == MemberUse::kSafe) continue;
    std::string_view rest = group.members();
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
    const std::string_view children = submodules_of(dotted.substr(0, dot));
    if (lists(children, dotted.substr(dot + 1))) return true;
  }
  const Known& found = known(dotted);
  return found.module != kNone || found.package != kNone;
}

}  // namespace langsbx::languages::python
