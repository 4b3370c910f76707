// What the words in mounts[].options mean, in one table.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/kernel/mount_api.h"

namespace langsbx::plan {

enum class IdMap : std::uint8_t { kNone, kSingle, kRecursive };

struct MountOptions {
  bool bind = false;
  bool recursive_bind = false;
  bool remount = false;
  bool readonly = false;              // "ro" was the last of ro/rw
  bool copy_up = false;               // tmpcopyup
  bool copy_symlink = false;          // crun: a symlink as source is made anew instead of mounted
  bool source_nofollow = false;       // crun: src-nofollow
  bool destination_nofollow = false;  // crun: dest-nofollow: a symlink there is mounted upon
  MountAttributes attributes;         // of this mount
  MountAttributes recursive;          // of it and all below (r* options)
  bool names_flags = false;           // any word for attributes was there, also one that clears
  // kNamedTimes of the words that set times of access; those that clear take them back.
  unsigned named_times = 0;
  std::vector<std::uint64_t> propagation;  // MS_SHARED | MS_REC, ... in the order given
  IdMap idmap = IdMap::kNone;
  std::string idmap_ranges;              // crun: what follows "idmap=", see idmap_option.h
  std::vector<std::string> super_flags;  // "sync", "lazytime", ...
  std::vector<std::pair<std::string, std::string>> data;  // "size"="64m"; empty value: a flag
};

// In named_times. On bind mounts, as with runc, only words that set one count: "atime" and its like
// leave what the source has.
enum NamedTimes : unsigned { kNoatime = 1, kRelatime = 2, kStrictatime = 4, kNodiratime = 8 };
// MOUNT_ATTR_* of them, as mount(2) reads several.
std::uint64_t times_of(unsigned named);

// Unknown words are data for the file system; on a bind mount they are an error. `field` names
// the mount in errors ("mounts[3]").
Result<MountOptions> parse_mount_options(const std::vector<std::string>& options,
                                         const std::string& field);

// Every option this runtime understands, for `features`; sorted.
std::vector<std::string> known_mount_options();

}  // namespace langsbx::plan
