// Cgroups that are there already and that no container may be put into.
#pragma once

#include <string>

#include "runtime/base/result.h"
#include "runtime/cgroup/plan.h"

namespace langsbx::cgroup {

// Processes of somebody else are in it.
Result<void> refuse_if_inhabited(const std::string& directory);
// Init would stop in it for ever.
Result<void> refuse_if_frozen(const Placement& placement);
// systemd has moved the unit's process into a cgroup that was there: thawed, it can end.
Result<void> refuse_if_unit_frozen(const Placement& placement);
// Before systemd moves anybody: a frozen cgroup in the unit's place is somebody's, and stays. A
// user's manager has its units elsewhere.
Result<void> refuse_if_place_frozen(const Unit& unit, const Host& host);

}  // namespace langsbx::cgroup
