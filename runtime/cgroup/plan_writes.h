// All controllers' planners in one call, for create and for update.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/cgroup/controllers.h"

namespace langsbx::cgroup {

// `v1_controllers` tells where a hybrid host keeps a controller. Devices are planned by the caller.
Result<Writes> plan_writes(const oci::Resources& resources, Mode mode,
                           const std::vector<std::string_view>& v1_controllers,
                           const Current& current);

// True when a limit is asked for; device rules do not count.
bool asks_for_limits(const oci::Resources& resources);

}  // namespace langsbx::cgroup
