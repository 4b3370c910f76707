// Files that a program left in its work directory, read by descriptor: its links are not followed.
#pragma once

#include <string>
#include <vector>

#include "runtime/execute/request.h"
#include "runtime/execute/watch.h"

namespace langsbx::execute {

// Of a file system that holds nothing else.
DiskUse disk_use(int directory);

// All regular files with their paths: for --keep, and to hand a work directory on.
std::vector<Artifact> collect_all(int directory);

// Regular files directly in the directory whose name matches one of the patterns (fnmatch).
std::vector<Artifact> collect_artifacts(int directory, const std::vector<std::string>& patterns);

}  // namespace langsbx::execute
