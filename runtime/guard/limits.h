// A profile's limits on a container: always the stricter of what its configuration and the profile
// say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "languages/profile.h"
#include "oci/spec_resources.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::guard {

// Memory, processors and processes. Swap stays as the configuration has it.
void limit_resources(const languages::Limits& limits, oci::Resources& resources);

// Processor time of each process, open files, size of a written file.
void limit_program(const languages::Limits& limits, plan::ProgramPlan& program);

// What stands in for the cgroup's memory limit where a rootless user has no cgroup.
void limit_program_memory(const languages::Limits& limits, plan::ProgramPlan& program);

// The guard works in a process of its own while init waits: so many must fit until it is done.
inline constexpr std::int64_t kProcessesOfGuard = 2;

}  // namespace langsbx::guard
