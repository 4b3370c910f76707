// Limits and scores of a child, set by its parent.
#include "runtime/launch/host_setup.h"

#include <vector>

#include "runtime/confine/rlimits.h"
#include "runtime/kernel/file.h"

namespace langsbx::runtime {

Result<void> equip_program(const plan::ProgramPlan& program, pid_t pid, const rlimit* meanwhile) {
  TRY(confine::apply_rlimits(program.rlimits, pid, meanwhile));
  TRY(cgroup::reset_affinity(pid));
  if (program.oom_score_adj) {
    const std::string path = "/proc/" + std::to_string(pid) + "/oom_score_adj";
    TRY_CONTEXT(write_file(path, std::to_string(*program.oom_score_adj)), "process.oomScoreAdj");
  }
  return {};
}

Result<void> hand_over(handshake::Channel& channel, const handshake::Proceed& proceed,
                       cgroup::Entrance entrance) {
  std::vector<int> numbers;
  numbers.reserve(entrance.tasks.size());
  for (const auto& file : entrance.tasks) numbers.push_back(file.get());
  auto sent = channel.send(proceed, numbers);
  entrance.close();
  return sent;
}

}  // namespace langsbx::runtime
