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
  bool readonly = false;         // "ro" was the last of ro/rw
  bool copy_up = false;          // tmpcopyup
  bool copy_symlink = false;     // crun: a symlink as source is made anew instead of mounted
  bool source_nofollow = false;  // crun: src-nofollow
  MountAttributes attributes;    // of this mount
  MountAttributes recursive;     // of it and all below (r* options)
  std::vector<std::uint64_t> propagation;  // MS_SHARED | MS_REC, ... in the order given
  IdMap idmap = IdMap::kNone;
  std::string idmap_ranges;              // crun: what follows "idmap=", see idmap_option.h
  std::vector<std::string> super_flags;  // "sync", "lazytime", ...
  std::vector<std::pair<std::string, std::string>> data;  // "size"="64m"; empty value: a flag
};

// Unknown words are data for the file system; on a bind mount they are an error. `field` names
// the mount in errors ("mounts[3]").
Result<MountOptions> parse_mount_options(const std::vector<std::string>& options,
                                         const std::string& field);

// Every option this runtime understands, for `features`; sorted.
std::vector<std::string> known_mount_options();

}  // namespace langsbx::plan
