// The parent's side of a launch: from a plan to a child that waits at the start gate.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "oci/state.h"
#include "runtime/cgroup/cgroup.h"
#include "runtime/handshake/channel.h"
#include "runtime/host/resctrl.h"
#include "runtime/isolate/hooks.h"
#include "runtime/kernel/process.h"
#include "runtime/launch/init.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::runtime {

struct Launched {
  ChildProcess init;
  handshake::Channel channel;
  ResctrlDirectory resctrl;                 // see state::Record
  std::optional<std::uint64_t> start_time;  // of init, when it is known (process_status.h)
  bool prepared = false;                    // LaunchInputs::meanwhile is done
  bool started = false;  // LaunchInputs::starts_at_once; start_init() only waits then
};

struct LaunchInputs {
  plan::LaunchPlan* launch = nullptr;
  const plan::HostFacts* host = nullptr;
  const cgroup::Host* cgroup_host = nullptr;
  cgroup::Cgroup* cgroup = nullptr;
  // State files and cgroup, before init enters it. Where this is set, init makes all namespaces by
  // itself that need not come from the clone: a network namespace takes as long as ten cgroups.
  std::function<Result<void>(const Launched&)> beside_birth;
  // What the parent can do while init works.
  std::function<Result<void>(const Launched&)> meanwhile;
  // After `meanwhile` nothing holds up the program: init is told to start before it is ready. Not
  // with a seccomp listener.
  bool starts_at_once = false;
  oci::State state;         // for hooks
  int start_listener = -1;  // -1: the channel itself carries Start
  int console_socket = -1;
  bool relays_console = false;  // the other end is ours
  int lock = -1;                // see InitContext
  std::vector<int> leaked_descriptors;
  guard::Gate* gate = nullptr;
  int report = -1;         // see InitContext
  int report_reader = -1;  // its other end, ours alone: without a reader init knows that we died
  bool acts_as_crun = false;
  const isolate::HookOutput* hook_output = nullptr;
  std::function<Result<void>(pid_t)> after_clone;  // before the child does anything
  std::function<Result<void>()> inside;            // see InitContext
};

// Clone, cgroup, id maps, limits, hooks; returns when init says Ready. On failure nothing of the
// child is left.
Result<Launched> launch_init(const LaunchInputs& inputs);

// Lets init go on to execve; returns when it did, or with the reason why not. `has_listener`: its
// seccomp filter notifies, and the descriptor goes to `listener_path`.
struct StartInputs {
  const confine::SeccompPlan* seccomp = nullptr;
  oci::State state;
  bool started = false;  // it has been told to, and is only waited for
  // Where a waiting init's guard writes (guard::open_records()); empty: it has none, or has them.
  std::vector<UniqueFd> records = {};
};
Result<void> start_init(handshake::Channel& channel, const StartInputs& inputs);

// A process joining a container; the same promises.
struct JoinInputs {
  plan::ProgramPlan* program = nullptr;
  cgroup::Cgroup* cgroup = nullptr;
  pid_t target = 0;  // the container's init
  int target_pidfd = -1;
  std::uint64_t namespaces = 0;
  bool rootless = false;
  int console_socket = -1;
  bool relays_console = false;  // the other end is ours
  oci::State state;
  const guard::Gate* gate = nullptr;
  // While the process waits, or what will make it: a rootless joiner may not be traced once it is
  // in the container's user namespace, so it is shown before.
  std::function<Result<void>(pid_t)> before_start;
};
Result<ChildProcess> launch_join(const JoinInputs& inputs);

}  // namespace langsbx::runtime
