// Makes a new v1 cpuset directory able to take processes.
#pragma once

#include <cstddef>
#include <string>

#include "runtime/base/result.h"
#include "runtime/cgroup/used_files.h"

namespace langsbx::cgroup::v1 {

// Fills empty cpuset.cpus and cpuset.mems of `directory` and its parents from above. As many
// directories as `new_levels`, from it upwards, were just made: their files need not be read. A new
// parent is told to have its children inherit from then on.
Result<void> inherit_cpuset(const std::string& mount_point, const std::string& directory,
                            std::size_t new_levels, UsedFiles& used);

}  // namespace langsbx::cgroup::v1
