// linux.netDevices: interfaces of the host that the container takes over.
#pragma once

#include <sys/types.h>

#include "runtime/base/result.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::runtime {

// Moves them into the network namespace of the process.
Result<void> move_net_devices(const plan::LaunchPlan& launch, pid_t pid);

}  // namespace langsbx::runtime
