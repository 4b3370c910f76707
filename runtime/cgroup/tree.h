// A cgroup directory and all below it. What is below belongs to the container: names, depth and
// number are hostile, so nothing here recurses or builds paths from them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/cgroup/root.h"

namespace langsbx::cgroup {

// mkdir -p below `mount_point`; what was made is appended to `made`, outermost first. How many
// directories that were, `directory` included: 0 when it is there already. `expected` is a guess of
// it, from another hierarchy: where its parent is likely to be missing that is made first.
Result<std::size_t> make_directory(Root& root, std::string_view mount_point,
                                   const std::string& directory, std::vector<std::string>& made,
                                   std::size_t expected = 0);

// Calls visit(descriptor) for the directory and each one below, and leave(parent, name) after all
// below `name` was visited (not for the top). Directories that vanish meanwhile are skipped.
Result<void> walk(const std::string& directory, const std::function<Result<void>(int)>& visit,
                  const std::function<void(int, const char*)>& leave);

// Sorted, without duplicates. kNotFound when `directory` does not exist.
Result<std::vector<pid_t>> processes_below(const std::string& directory);

// rmdir of everything, deepest first, waiting up to `patience` for processes that are dying.
// A directory that does not exist is a success.
Result<void> remove_tree(Root& root, const std::string& directory,
                         std::chrono::milliseconds patience);

}  // namespace langsbx::cgroup
