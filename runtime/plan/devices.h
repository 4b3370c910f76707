// linux.devices and the nodes that every container has.
#pragma once

#include <vector>

#include "runtime/base/result.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::plan {

Result<std::vector<DeviceStep>> plan_devices(const std::vector<oci::Device>& devices,
                                             bool with_defaults);

}  // namespace langsbx::plan
