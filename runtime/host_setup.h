// What the parent does to a fresh child from outside: limits, scores, devices of the host.
#pragma once

#include <sys/types.h>

#include <string>

#include "oci/spec.h"
#include "runtime/base/result.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::runtime {

// Resource limits, OOM score and CPU affinity.
Result<void> equip_program(const plan::ProgramPlan& program, pid_t pid);
// linux.netDevices: moves interfaces of the host into the child's network namespace.
Result<void> move_net_devices(const plan::LaunchPlan& launch, pid_t pid);

}  // namespace langsbx::runtime
