// The container's side of a launch: what runs in the child between clone and execve.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "oci/state.h"
#include "runtime/guard/gate.h"
#include "runtime/handshake/channel.h"
#include "runtime/isolate/hooks.h"
#include "runtime/isolate/rootfs.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::runtime {

// The descriptors of a launch beside the channel; -1: none.
struct InitDescriptors {
  int start_listener = -1;  // where `start` connects; without it the channel itself carries Start
  int console_socket = -1;
  bool relays_console = false;  // true: its other end is the runtime's own
  int report = -1;              // a process 1 of ours reports the program's end here (reaper.h)
  // The parent's, closed in init first thing: the reading end of `report` (without a reader init
  // knows that the parent died), and the locked state directory (init must not keep its lock).
  int report_reader = -1;
  int lock = -1;
  // What the caller left open: closed when the mounts are made, whose sources may be among them.
  std::vector<int> leaked;
};

// What runs along the way.
struct HookInputs {
  oci::State state;  // the pid is filled in by init
  const isolate::HookOutput* output = nullptr;
  // Execute's own step in init, when root and namespaces are final and privileges are there.
  std::function<Result<void>()> inside;
};

// Everything that init needs, made before the clone; init only reads it.
struct InitContext {
  const plan::LaunchPlan* launch = nullptr;
  isolate::MountContext mounts;
  isolate::HostSources* sources = nullptr;  // init's copy, which it closes
  std::uint64_t own_namespaces = 0;         // CLONE_NEW* that init makes first thing
  handshake::Channel* channel = nullptr;
  const InitDescriptors* descriptors = nullptr;
  int parents_end = -1;  // of the channel: init must see its end when the parent dies
  int procfs = -1;
  std::optional<rlimit> open_files;  // from when the mounts are there
  const guard::GuardPlan* guard = nullptr;
  const HookInputs* hooks = nullptr;
};
// The body of the container's init. Returns only when something failed.
int init_main(const InitContext& context);

// For exec: a process joining a running container.
struct JoinContext {
  const plan::ProgramPlan* program = nullptr;
  const guard::GuardPlan* guard = nullptr;
  handshake::Channel* channel = nullptr;
  int target = -1;               // pidfd of the container's init
  std::uint64_t namespaces = 0;  // CLONE_NEW* to join
  int console_socket = -1;
  bool relays_console = false;
  int procfs = -1;
  int seccomp_socket = -1;
  std::vector<int> parents_descriptors;
};
int join_main(const JoinContext& context);

}  // namespace langsbx::runtime
