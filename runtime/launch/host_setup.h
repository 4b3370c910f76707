// What the parent does to a fresh child from outside: limits, scores, its cgroup.
#pragma once

#include <sys/types.h>

#include <string>

#include "oci/spec.h"
#include "runtime/base/result.h"
#include "runtime/cgroup/cgroup.h"
#include "runtime/handshake/channel.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::runtime {

// Resource limits, OOM score and CPU affinity. `meanwhile`: RLIMIT_NOFILE as the process has it; it
// is not lowered now, the process does that itself.
Result<void> equip_program(const plan::ProgramPlan& program, pid_t pid,
                           const rlimit* meanwhile = nullptr);
// Into a cgroup that it was not born in: it enters by itself, or is moved. Afterwards it has made
// what namespaces it makes by itself.
Result<void> bring_into_cgroup(handshake::Channel& channel, cgroup::Cgroup& group, pid_t pid);
// The same for a process that nothing else has to be done to: it goes on by itself. False: that way
// is not open, and nothing was said to it. Its answer, if any, is for move_outsider().
// `start`: told to start its program, too.
Result<bool> pass_into_cgroup(handshake::Channel& channel, cgroup::Cgroup& group,
                              bool start = false);
// It could not enter, and waits: moves it, and lets it go on.
Result<void> move_outsider(handshake::Channel& channel, cgroup::Cgroup& group, pid_t pid);

}  // namespace langsbx::runtime
