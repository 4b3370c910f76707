// Letting a waiting init go on to its program.
#pragma once

#include <vector>

#include "oci/state.h"
#include "runtime/confine/seccomp.h"
#include "runtime/handshake/channel.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::runtime {

struct StartInputs {
  // With a listener path, the filter's descriptor goes there, with `state`.
  const confine::SeccompPlan* seccomp = nullptr;
  oci::State state;
  bool started = false;  // true: init has been told with Proceed, and is only waited for
  // Where a waiting init's guard writes (guard::open_records()); empty: it has none, or has them.
  std::vector<UniqueFd> records = {};
};
// Returns when init has executed its program, or with the reason why not.
Result<void> start_init(handshake::Channel& channel, const StartInputs& inputs);

// Waits until the other end is closed by execve. Gives true when the process could not enter its
// cgroup: it has to be moved, to be told to proceed, and to be awaited again.
Result<bool> await_exec(handshake::Channel& channel);
// From the process to the agent at plan's path.
Result<void> forward_listener(const confine::SeccompPlan& plan, const UniqueFd& socket,
                              const oci::State& state);

}  // namespace langsbx::runtime
