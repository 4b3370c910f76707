// Processes that must be born in namespaces the runtime itself may not enter.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>

#include "runtime/kernel/process.h"
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

// exec: in namespaces of the container whose init is `target`, a pidfd.
struct JoinStage {
  int target = -1;
  std::uint64_t namespaces = 0;  // CLONE_NEW*
  // With the throw-away process, while it waits.
  std::function<Result<void>(pid_t)> watch;
  bool keep_groups = false;  // the caller's further groups
};
Result<ChildProcess> fork_in_joined_stage(const JoinStage& stage, const std::function<int()>& body);

// From here on children of this process are born in that pid namespace.
Result<void> bear_children_in(int pid_namespace);

}  // namespace langsbx::runtime
