// The parent's side of a launch, in the order of its steps:
//   clone_init -> equip_init -> let_proceed -> await_ready     then start_program.h
// The caller does its own work between them. Whatever fails, nothing of the child is left once
// `Launched` is gone.
#pragma once

#include <optional>

#include "oci/state.h"
#include "runtime/cgroup/cgroup.h"
#include "runtime/cgroup/entrance.h"
#include "runtime/handshake/channel.h"
#include "runtime/host/resctrl.h"
#include "runtime/isolate/hooks.h"
#include "runtime/kernel/process.h"
#include "runtime/launch/init.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::runtime {

// The two ways in which launches differ, decided before anything is made.
struct LaunchOrder {
  // True: init makes the namespaces that need not come from the clone, while the parent makes the
  // cgroup or judges the source: a network namespace takes as long as ten cgroups.
  bool init_makes_namespaces = false;
  // True: init starts its program as soon as it is ready, and is told so with Proceed.
  bool starts_at_once = false;
};

struct LaunchInputs {
  const plan::LaunchPlan* plan = nullptr;
  const plan::HostFacts* host = nullptr;
  const guard::GuardPlan* guard = nullptr;
  const cgroup::Host* cgroup_host = nullptr;
  cgroup::Cgroup* cgroup = nullptr;
  LaunchOrder order;
  InitDescriptors descriptors;
  HookInputs hooks;
};

struct Launched {
  ChildProcess init;
  handshake::Channel channel;
  ResctrlDirectory resctrl;          // see state::Record
  std::optional<rlimit> open_files;  // RLIMIT_NOFILE of init while it mounts
  cgroup::Entrance entrance;         // what init enters its cgroups by, until it proceeds
  ChildProcess mapper;               // answers init while it mounts (HostSources)
};

// Init waits for Proceed, or makes its namespaces first.
Result<Launched> clone_init(const LaunchInputs& inputs);
// What only the parent may do to init: id maps, cgroup (which has been made), limits, devices.
Result<void> equip_init(const LaunchInputs& inputs, Launched& launched);
// From here on init works by itself.
Result<void> let_proceed(const LaunchInputs& inputs, Launched& launched);
// Until it is ready. Moves it where it could not enter its cgroup, runs the hooks that are the
// runtime's.
Result<void> await_ready(const LaunchInputs& inputs, Launched& launched);

}  // namespace langsbx::runtime
