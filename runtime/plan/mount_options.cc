// The table of mount options.
#include "runtime/plan/mount_options.h"

#include <linux/mount.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace langsbx::plan {
namespace {

constexpr std::uint64_t kMsRec = 1U << 14U;
constexpr std::uint64_t kMsUnbindable = 1U << 17U;
constexpr std::uint64_t kMsPrivate = 1U << 18U;
constexpr std::uint64_t kMsSlave = 1U << 19U;
constexpr std::uint64_t kMsShared = 1U << 20U;
#ifndef MOUNT_ATTR_NOSYMFOLLOW
#define MOUNT_ATTR_NOSYMFOLLOW 0x00200000
#endif

enum class Kind : std::uint8_t {
  kAttribute,    // value is set, clear is cleared
  kPropagation,  // value: MS_*
  kSuper,        // a flag of the superblock, known to every file system
  kBind,
  kRecursiveBind,
  kRemount,
  kCopyUp,
  kCopySymlink,
  kSourceNofollow,
  kDestinationNofollow,
  kIdmap,
  kRecursiveIdmap,
  kNothing,  // accepted, nothing to do: defaults, and what only concerns mount(8)'s messages
};

struct Option {
  std::string_view name;
  Kind kind;
  std::uint64_t set = 0;
  std::uint64_t clear = 0;
};

constexpr std::uint64_t kAtime = MOUNT_ATTR__ATIME;

// Options with an attribute also exist with an "r" in front: the mount and all below it.
constexpr auto kAttributeOptions = std::to_array<Option>({
    {"ro", Kind::kAttribute, MOUNT_ATTR_RDONLY, 0},
    {"rw", Kind::kAttribute, 0, MOUNT_ATTR_RDONLY},
    {"nosuid", Kind::kAttribute, MOUNT_ATTR_NOSUID, 0},
    {"suid", Kind::kAttribute, 0, MOUNT_ATTR_NOSUID},
    {"nodev", Kind::kAttribute, MOUNT_ATTR_NODEV, 0},
    {"dev", Kind::kAttribute, 0, MOUNT_ATTR_NODEV},
    {"noexec", Kind::kAttribute, MOUNT_ATTR_NOEXEC, 0},
    {"exec", Kind::kAttribute, 0, MOUNT_ATTR_NOEXEC},
    {"noatime", Kind::kAttribute, MOUNT_ATTR_NOATIME, kAtime},
    {"atime", Kind::kAttribute, MOUNT_ATTR_RELATIME, kAtime},
    {"relatime", Kind::kAttribute, MOUNT_ATTR_RELATIME, kAtime},
    {"norelatime", Kind::kAttribute, MOUNT_ATTR_STRICTATIME, kAtime},
    {"strictatime", Kind::kAttribute, MOUNT_ATTR_STRICTATIME, kAtime},
    {"nostrictatime", Kind::kAttribute, MOUNT_ATTR_RELATIME, kAtime},
    {"nodiratime", Kind::kAttribute, MOUNT_ATTR_NODIRATIME, 0},
    {"diratime", Kind::kAttribute, 0, MOUNT_ATTR_NODIRATIME},
    {"nosymfollow", Kind::kAttribute, MOUNT_ATTR_NOSYMFOLLOW, 0},
    {"symfollow", Kind::kAttribute, 0, MOUNT_ATTR_NOSYMFOLLOW},
});

constexpr auto kOtherOptions = std::to_array<Option>({
    {"bind", Kind::kBind},
    {"rbind", Kind::kRecursiveBind},
    {"remount", Kind::kRemount},
    {"shared", Kind::kPropagation, kMsShared},
    {"rshared", Kind::kPropagation, kMsShared | kMsRec},
    {"slave", Kind::kPropagation, kMsSlave},
    {"rslave", Kind::kPropagation, kMsSlave | kMsRec},
    {"private", Kind::kPropagation, kMsPrivate},
    {"rprivate", Kind::kPropagation, kMsPrivate | kMsRec},
    {"unbindable", Kind::kPropagation, kMsUnbindable},
    {"runbindable", Kind::kPropagation, kMsUnbindable | kMsRec},
    {"sync", Kind::kSuper},
    {"async", Kind::kSuper},
    {"dirsync", Kind::kSuper},
    {"lazytime", Kind::kSuper},
    {"nolazytime", Kind::kSuper},
    {"mand", Kind::kSuper},
    {"nomand", Kind::kSuper},
    {"tmpcopyup", Kind::kCopyUp},
    {"copy-symlink", Kind::kCopySymlink},
    {"src-nofollow", Kind::kSourceNofollow},
    {"dest-nofollow", Kind::kDestinationNofollow},
    {"idmap", Kind::kIdmap},
    {"ridmap", Kind::kRecursiveIdmap},
    {"defaults", Kind::kNothing},
    {"silent", Kind::kNothing},
    {"loud", Kind::kNothing},
    {"iversion", Kind::kNothing},
    {"noiversion", Kind::kNothing},
    {"acl", Kind::kNothing},
    {"noacl", Kind::kNothing},
    {"rsync", Kind::kNothing},
    {"rasync", Kind::kNothing},
});

struct TimesWord {
  std::string_view name;
  NamedTimes times;
  bool sets;
};
constexpr TimesWord kTimesWords[] = {
    {"noatime", kNoatime, true},         {"atime", kNoatime, false},
    {"relatime", kRelatime, true},       {"norelatime", kRelatime, false},
    {"strictatime", kStrictatime, true}, {"nostrictatime", kStrictatime, false},
    {"nodiratime", kNodiratime, true},   {"diratime", kNodiratime, false},
};

unsigned name_times(unsigned named, std::string_view word) {
  for (const auto& known : kTimesWords) {
    if (known.name != word) continue;
    return known.sets ? named | known.times : named & ~unsigned{known.times};
  }
  return named;
}

template <typename Table>
const Option* find(const Table& table, std::string_view name) {
  const auto it = std::find_if(table.begin(), table.end(),
                               [&](const Option& option) { return option.name == name; });
  return it == table.end() ? nullptr : &*it;
}

void add_attribute(MountAttributes& attributes, const Option& option) {
  attributes.set = (attributes.set & ~option.clear) | option.set;
  // A later option undoes an earlier one; what it sets need not be cleared, except atime, whose
  // values share bits.
  attributes.clear = (attributes.clear & ~(option.set & ~kAtime)) | option.clear;
}

void apply(MountOptions& result, const Option& option) {
  switch (option.kind) {
    case Kind::kAttribute:
      add_attribute(result.attributes, option);
      result.names_flags = true;
      result.named_times = name_times(result.named_times, option.name);
      if (option.name == "ro") result.readonly = true;
      if (option.name == "rw") result.readonly = false;
      break;
    case Kind::kPropagation:
      result.propagation.push_back(option.set);
      break;
    case Kind::kSuper:
      result.super_flags.emplace_back(option.name);
      break;
    case Kind::kRecursiveBind:
      result.recursive_bind = true;
      [[fallthrough]];
    case Kind::kBind:
      result.bind = true;
      break;
    case Kind::kRemount:
      result.remount = true;
      break;
    case Kind::kCopyUp:
      result.copy_up = true;
      break;
    case Kind::kCopySymlink:
      result.copy_symlink = true;
      break;
    case Kind::kSourceNofollow:
      result.source_nofollow = true;
      break;
    case Kind::kIdmap:
      result.idmap = IdMap::kSingle;
      break;
    case Kind::kRecursiveIdmap:
      result.idmap = IdMap::kRecursive;
      break;
    case Kind::kDestinationNofollow:
      result.destination_nofollow = true;
      break;
    case Kind::kNothing:
      break;
  }
}

}  // namespace

std::uint64_t times_of(unsigned named) {
  const std::uint64_t directories = (named & kNodiratime) != 0 ? MOUNT_ATTR_NODIRATIME : 0;
  if ((named & kStrictatime) != 0) return directories | MOUNT_ATTR_STRICTATIME;
  return directories | ((named & kNoatime) != 0 ? MOUNT_ATTR_NOATIME : MOUNT_ATTR_RELATIME);
}

Result<MountOptions> parse_mount_options(const std::vector<std::string>& options,
                                         const std::string& field) {
  MountOptions result;
  std::string first_data;
  for (const auto& text : options) {
    const Option* option = find(kAttributeOptions, text);
    if (option == nullptr) option = find(kOtherOptions, text);
    if (option != nullptr) {
      apply(result, *option);
      continue;
    }
    if (text.starts_with("idmap=") || text.starts_with("ridmap=")) {
      result.idmap = text.starts_with('r') ? IdMap::kRecursive : IdMap::kSingle;
      result.idmap_ranges = text.substr(text.find('=') + 1);
      continue;
    }
    if (text.starts_with('r')) {
      option = find(kAttributeOptions, std::string_view(text).substr(1));
      if (option != nullptr) {
        add_attribute(result.recursive, *option);
        continue;
      }
    }
    // One string may hold several, as in fstab.
    std::size_t begin = 0;
    while (begin <= text.size()) {
      const std::size_t comma = std::min(text.find(',', begin), text.size());
      const std::string part = text.substr(begin, comma - begin);
      begin = comma + 1;
      if (part.empty()) continue;
      const auto equals = part.find('=');
      if (first_data.empty()) first_data = part;
      result.data.emplace_back(part.substr(0, equals),
                               equals == std::string::npos ? "" : part.substr(equals + 1));
    }
  }
  if (result.bind && !result.data.empty() && !result.remount) {
    return make_error(ErrorKind::kInvalidInput,
                      field + ".options: \"" + first_data + "\" is not an option of bind mounts");
  }
  return result;
}

std::vector<std::string> known_mount_options() {
  std::vector<std::string> names;
  for (const auto& option : kAttributeOptions) {
    names.emplace_back(option.name);
    names.push_back("r" + std::string(option.name));
  }
  for (const auto& option : kOtherOptions) names.emplace_back(option.name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace langsbx::plan
