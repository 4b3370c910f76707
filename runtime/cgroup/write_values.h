// Writes planned values into the directories of a container.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/cgroup/plan.h"
#include "runtime/cgroup/used_files.h"

namespace langsbx::cgroup {

// In order; errors start with the field of config.json. What is marked order_free and refused with
// EINVAL is tried again at the end; refused best_effort values are told in `warnings`.
Result<void> write_values(const std::vector<Write>& writes,
                          const std::vector<Placement>& placements,
                          std::vector<std::string>& warnings, UsedFiles& used);

// memory.checkBeforeUpdate: refuses a limit below what is in use; 0 or less checks nothing.
Result<void> check_memory_usage(std::int64_t limit, const std::vector<Placement>& placements);

// The placement whose hierarchy has the controller; else the cgroup2 one; else null.
const Placement* placement_of(const std::vector<Placement>& placements,
                              std::string_view controller);

}  // namespace langsbx::cgroup
