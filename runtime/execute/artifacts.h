// Files that a program left in its work directory, read by descriptor: its links are not followed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/execute/request.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::execute {

// The work directory of the sandbox whose process 1 (or any later one) is `pid`.
Result<UniqueFd> open_work_directory(pid_t pid);

struct DiskUse {
  std::uint64_t bytes = 0;
  bool full = false;  // blocks or inodes
};
DiskUse disk_use(int directory);

// Regular files directly in the directory whose name matches one of the patterns (fnmatch).
std::vector<Artifact> collect_artifacts(int directory, const std::vector<std::string>& patterns);

}  // namespace langsbx::execute
