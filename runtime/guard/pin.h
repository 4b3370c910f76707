// What was judged is what runs: read-only copies of the source mounted over its paths, in a mount
// namespace of the program's own.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::guard {

// Copies each file into a file system of its own and mounts the copy, read-only, over the path.
// With the privileges of the container's root, inside its root. Gives the copies' device: a file
// of that device is a pinned one. Paths are absolute or below `cwd`; what is not there is left out.
//
// A copy has the time of now: compiled code that was cached for the original is not taken for it.
[[nodiscard]] Result<dev_t> pin_files(const std::vector<std::string>& paths, const std::string& cwd,
                                      std::size_t most_bytes);

}  // namespace langsbx::guard
