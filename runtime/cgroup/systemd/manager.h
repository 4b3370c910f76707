// Talks to systemd through the helper program langsbx-systemd, which links libsystemd.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/cgroup/plan.h"

namespace langsbx::cgroup::systemd {

// Starts a transient unit that holds `pid` and waits for the job; gives the unit's cgroup path
// ("/system.slice/langsbx-ID.scope").
Result<std::string> start_unit(const Unit& unit, pid_t pid);
// Stops the unit and resets its failed state; a unit that is not there is a success.
Result<void> stop_unit(const std::string& name, bool user_bus);
Result<void> set_properties(const std::string& name, bool user_bus,
                            const std::vector<UnitProperty>& properties);

// Beside this executable, else in the libexec folder.
std::string helper_path();

}  // namespace langsbx::cgroup::systemd
