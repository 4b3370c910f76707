// Limits and scores of a child, set by its parent.
#include "runtime/launch/host_setup.h"

#include <cerrno>
#include <variant>
#include <vector>

#include "runtime/cgroup/entrance.h"
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

namespace {

Result<void> hand_over(handshake::Channel& channel, const handshake::Message& message,
                       cgroup::Entrance entrance) {
  std::vector<int> numbers;
  numbers.reserve(entrance.tasks.size());
  for (const auto& file : entrance.tasks) numbers.push_back(file.get());
  auto sent = channel.send(message, numbers);
  entrance.close();
  // Init that could not make its namespaces is gone, and has said why.
  if (!sent.ok() && sent.error().errno_value != EPIPE) return sent;
  return {};
}

}  // namespace

Result<void> bring_into_cgroup(handshake::Channel& channel, cgroup::Cgroup& group, pid_t pid) {
  TRY(hand_over(channel, handshake::Enter{}, cgroup::open_entrance(group)));
  const auto answer = TRY(channel.receive());
  if (std::holds_alternative<handshake::Entered>(answer)) return {};
  if (std::holds_alternative<handshake::Outside>(answer)) return group.add_process(pid);
  return make_error(ErrorKind::kInternal, "handshake: unexpected answer to Enter");
}

Result<bool> pass_into_cgroup(handshake::Channel& channel, cgroup::Cgroup& group, bool start) {
  auto entrance = cgroup::open_entrance(group);
  if (entrance.tasks.empty()) return false;
  using handshake::Message;
  const auto message = start ? Message(handshake::PassAndStart{}) : Message(handshake::Pass{});
  TRY(hand_over(channel, message, std::move(entrance)));
  return true;
}

Result<void> move_outsider(handshake::Channel& channel, cgroup::Cgroup& group, pid_t pid) {
  TRY(group.add_process(pid));
  return channel.send(handshake::Proceed{});
}

}  // namespace langsbx::runtime
