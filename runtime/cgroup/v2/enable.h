// Makes controllers available in a cgroup2 directory.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/cgroup/plan.h"
#include "runtime/cgroup/used_files.h"

namespace langsbx::cgroup::v2 {

// Writes cgroup.subtree_control from the mount point down to the directory's parent: `required`
// must then be there (the error names the missing one and its field), and unless `only_required`
// every controller that the mount offers is tried too, so that statistics and later updates work.
Result<void> enable_controllers(const std::string& mount_point, const std::string& directory,
                                const std::vector<RequiredController>& required, bool only_required,
                                UsedFiles& used);

// A directory below a threaded one starts as "domain invalid" and takes no process: it is made
// threaded when no controller is needed that works on processes only, else refused.
Result<void> settle_type(const std::string& mount_point, const std::string& directory,
                         const std::vector<RequiredController>& required, UsedFiles& used);

}  // namespace langsbx::cgroup::v2
