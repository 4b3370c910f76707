// Makes a new v1 cpuset directory able to take processes.
#pragma once

#include <string>

#include "runtime/base/result.h"

namespace langsbx::cgroup::v1 {

// Fills empty cpuset.cpus and cpuset.mems of `directory` and its parents from above. `is_new`: the
// directory was just made, its files need not be read.
Result<void> inherit_cpuset(const std::string& mount_point, const std::string& directory,
                            bool is_new = false);

}  // namespace langsbx::cgroup::v1
