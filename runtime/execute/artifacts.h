// Files that a program left in its work directory, when it has ended: listed within bounds, then
// read or copied by descriptor. Its links are not followed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/execute/request.h"
#include "runtime/execute/watch.h"

namespace langsbx::execute {

// Of a file system that holds nothing else.
DiskUse disk_use(int directory);

// What may come back: sizes as ls shows them, since a file of holes takes no room where it is.
struct Bounds {
  std::uint64_t bytes = 0;
  std::uint64_t files = 0;
};
// As much as the work directory itself may hold.
Bounds bounds_of_disk(std::uint64_t disk);

// In the order of their names; nothing is read.
struct Listed {
  std::vector<Artifact> files;
  LeftOut left_out;
};
// Regular files directly in the directory whose name matches one of the patterns (fnmatch).
// Not those that `skip` names.
using Skip = std::function<bool(const std::string& path)>;
Listed list_matching(int directory, const std::vector<std::string>& patterns, const Bounds& bounds,
                     const Skip& skip = {});
// All regular files with their paths: for --keep, and to hand a work directory on.
Listed list_all(int directory, const Bounds& bounds, const Skip& skip = {});

// To read; refused when it is no regular file.
Result<UniqueFd> open_left(int directory, const std::string& name);
// The whole file; empty where there is none.
Result<std::string> read_left(int directory, const std::string& name, std::size_t limit);

struct Owner {
  uid_t uid = 0;
  gid_t gid = 0;
};
// Copies these files, as large as they were listed and with their holes; folders are made.
Result<void> copy_left(int from, const std::vector<Artifact>& files, int to,
                       std::optional<Owner> owner = {});
// One of them, under this name in a directory that has none of that name.
Result<void> copy_one(int from, const Artifact& file, int to, const std::string& name,
                      std::optional<Owner> owner = {});

}  // namespace langsbx::execute
