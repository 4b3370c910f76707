// What the kernel holds where no cgroup does: --cpus as a set of processors, and nothing that would
// be memory of nobody.
#pragma once

#include <vector>

#include "runtime/confine/seccomp.h"
#include "runtime/execute/sandbox_spec.h"

namespace langsbx::execute {

// Adds to plan and filters what is needed; nothing where there is a cgroup.
Result<void> hold_without_cgroup(const Program& program, plan::ProgramPlan& plan,
                                 std::vector<confine::SeccompSource>& filters);

// Whether /dev/zero leads to /dev/full, which reads alike and can't be mapped.
bool has_few_devices(const Program& program);
// What is made as a link then; a device that is bound costs a mount.
void leave_out_devices(const Program& program, std::vector<plan::DeviceStep>& devices);

}  // namespace langsbx::execute
