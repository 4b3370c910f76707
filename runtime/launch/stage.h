// Processes that must be born in namespaces the runtime itself may not enter.
#pragma once

#include <functional>

#include "runtime/kernel/process.h"
#include "runtime/launch/launch.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::runtime {

// A throw-away process joins what `plan` joins (the user namespace first) and makes the child as
// our own child from there, so that new namespaces belong to the joined user namespace.
Result<ChildProcess> fork_in_stage(const plan::NamespacePlan& plan, const CloneOptions& options,
                                   const std::function<int()>& body);

// The child is born in that pid namespace (-1: ours), and the runtime stays where it is: coming
// back needs rights over its own namespace, which a caller inside a user namespace (rootless
// Podman) lacks.
Result<ChildProcess> fork_in_pid_namespace(int pid_namespace, const CloneOptions& options,
                                           const std::function<int()>& body);

// The child for exec: in the container's pid namespace and, where cgroup2 can, its cgroup.
Result<ChildProcess> fork_joining(const JoinInputs& inputs, JoinContext& context);

}  // namespace langsbx::runtime
