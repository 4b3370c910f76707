// Whether a container manages its own subtree of cgroups, and who owns it then.
#pragma once

#include <optional>

#include "oci/spec.h"
#include "runtime/cgroup/plan.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::runtime {

// v2 with a cgroup namespace and a writable cgroup mount.
std::optional<cgroup::Owner> delegate_owner(const oci::Spec& spec, const plan::LaunchPlan& launch);

}  // namespace langsbx::runtime
