// process.rlimits: names to numbers in the parent, prlimit in the child.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "oci/spec.h"
#include "runtime/base/result.h"

namespace langsbx::confine {

struct RlimitEntry {
  int resource = 0;
  std::string name;  // "RLIMIT_NOFILE"
  rlimit value{};
};
using RlimitPlan = std::vector<RlimitEntry>;

// A duplicate or unknown type and soft > hard are errors that name process.rlimits[n].
Result<RlimitPlan> plan_rlimits(const std::vector<oci::Rlimit>& rlimits);
// pid 0: the calling process. The parent may call it for init, which keeps its privileges in use.
// `open_files`: the process's RLIMIT_NOFILE, which is raised only where the plan needs it.
Result<void> apply_rlimits(const RlimitPlan& plan, pid_t pid = 0,
                           const rlimit* open_files = nullptr);
// RLIMIT_NOFILE of the plan; null: none.
const rlimit* open_files_of(const RlimitPlan& plan);
// For the calling process: never raises a limit, so it needs no privileges.
Result<void> lower_rlimits(const RlimitPlan& plan);

}  // namespace langsbx::confine
