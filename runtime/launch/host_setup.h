// What the parent does to a fresh child from outside: limits, scores, its cgroup.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include "runtime/base/result.h"
#include "runtime/cgroup/entrance.h"
#include "runtime/handshake/channel.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::runtime {

// Resource limits, OOM score and CPU affinity. `meanwhile`: RLIMIT_NOFILE as the process has it; it
// is not lowered now, the process does that itself.
Result<void> equip_program(const plan::ProgramPlan& program, pid_t pid,
                           const rlimit* meanwhile = nullptr);
// Says Proceed, with the files by which the process enters its cgroup; they are closed here.
Result<void> hand_over(handshake::Channel& channel, const handshake::Proceed& proceed,
                       cgroup::Entrance entrance);

}  // namespace langsbx::runtime
