// Limits and scores of a child, set by its parent.
#include "runtime/host_setup.h"

#include <sched.h>

#include "runtime/cgroup/cgroup.h"
#include "runtime/kernel/file.h"

namespace langsbx::runtime {

Result<void> equip_program(const plan::ProgramPlan& program, pid_t pid) {
  TRY(confine::apply_rlimits(program.rlimits, pid));
  TRY(cgroup::reset_affinity(pid));
  if (program.oom_score_adj) {
    const std::string path = "/proc/" + std::to_string(pid) + "/oom_score_adj";
    TRY_CONTEXT(write_file(path, std::to_string(*program.oom_score_adj)), "process.oomScoreAdj");
  }
  return {};
}

}  // namespace langsbx::runtime
