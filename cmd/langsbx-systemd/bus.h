// The calls to systemd's manager that a container needs.
#pragma once

#include <string>

#include "cmd/langsbx-systemd/request.h"
#include "runtime/base/result.h"

namespace langsbx::systemd_helper {

// StartTransientUnit, wait for its job; gives the unit's cgroup path.
Result<std::string> start_unit(const Request& request);
// StopUnit, wait for its job, ResetFailedUnit. A unit that is not loaded is a success.
Result<void> stop_unit(const Request& request);
// SetUnitProperties for this run of the unit.
Result<void> set_properties(const Request& request);

}  // namespace langsbx::systemd_helper
