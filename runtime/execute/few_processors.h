// --cpus where no cgroup holds it: a set of as many processors, rounded up, and a filter that keeps
// the program in it.
#pragma once

#include <vector>

#include "runtime/confine/scheduling.h"
#include "runtime/confine/seccomp.h"
#include "runtime/execute/sandbox_spec.h"

namespace langsbx::execute {

// `count` of those that `allowed` has, from its `first`th on and round; all when there are no more.
confine::CpuMask choose_processors(const confine::CpuMask& allowed, std::size_t count,
                                   std::size_t first);

// Adds to plan and filters what is needed; nothing where a cgroup or the machine's size does it.
Result<void> hold_processors(const Program& program, plan::ProgramPlan& plan,
                             std::vector<confine::SeccompSource>& filters);

}  // namespace langsbx::execute
