// The parent's side of exec: a process that joins a container.
#pragma once

#include <sys/types.h>

#include <functional>

#include "oci/state.h"
#include "runtime/cgroup/cgroup.h"
#include "runtime/guard/gate.h"
#include "runtime/kernel/process.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::runtime {

struct JoinConsole {
  int socket = -1;
  bool relayed = false;  // true: the other end is the runtime's own
};

struct JoinInputs {
  const plan::ProgramPlan* program = nullptr;
  const guard::GuardPlan* guard = nullptr;
  cgroup::Cgroup* cgroup = nullptr;
  pid_t target = 0;  // the container's init
  int target_pidfd = -1;
  std::uint64_t namespaces = 0;  // CLONE_NEW* to join
  bool rootless = false;
  JoinConsole console;
  oci::State state;  // for a seccomp listener
  // With the process that waits, or with the one that will make it: a rootless joiner may not be
  // traced once it is in the container's user namespace, so it is shown before.
  std::function<Result<void>(pid_t)> before_start;
};
// Returns when the program runs, or with the reason why not.
Result<ChildProcess> launch_join(const JoinInputs& inputs);

}  // namespace langsbx::runtime
