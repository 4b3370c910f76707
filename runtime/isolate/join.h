// Joining a container that runs.
#pragma once

#include "runtime/isolate/rooted.h"

namespace langsbx::isolate {

struct JoinPlan {
  const plan::ProgramPlan* program = nullptr;
  int target = -1;  // pidfd of the container's init
  // CLONE_NEW* to join. Without any: the process that made this one has joined them all.
  std::uint64_t namespaces = 0;
};

// The mount namespace brings the root with it.
Result<Rooted> join_container(const JoinPlan& plan);
// The namespaces alone, for a process that makes the joining one in them.
Result<void> join_namespaces_of(int target, std::uint64_t namespaces, bool keep_groups);

}  // namespace langsbx::isolate
