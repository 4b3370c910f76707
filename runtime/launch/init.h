// The container's side of a launch: what runs in the child between clone and execve.
#pragma once

#include <sys/resource.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "oci/state.h"
#include "runtime/guard/gate.h"
#include "runtime/handshake/channel.h"
#include "runtime/isolate/hooks.h"
#include "runtime/isolate/rootfs.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::runtime {

// Everything the child needs, made before the clone; the child only reads it.
struct InitContext {
  const plan::LaunchPlan* launch = nullptr;
  isolate::MountContext mounts;
  std::uint64_t own_namespaces = 0;  // CLONE_NEW* that init makes first thing
  handshake::Channel* channel = nullptr;
  int start_listener = -1;  // -1: `run`, Start comes through the channel
  int console_socket = -1;
  bool relays_console = false;  // the other end is ours
  int procfs = -1;
  std::optional<rlimit> open_files;  // from when the mounts are there
  int report = -1;  // a process 1 of ours reports the program's end here (reaper.h); -1: none
  // The parent's: its end of the channel (init must see end of file when the parent dies) and the
  // locked state directory (init must not keep its creator's lock).
  std::vector<int> parents_descriptors;
  // What the caller left open: closed when the mounts are made, whose sources may be among them.
  std::vector<int> leaked_descriptors;
  const oci::State* state = nullptr;  // for hooks; the pid is filled in by init
  const isolate::HookOutput* hook_output = nullptr;
  guard::Gate* gate = nullptr;
  // Runs when root and namespaces are final and privileges are not dropped yet.
  std::function<Result<void>()> inside;
};

// The body of the container's init. Returns only when something failed.
int init_main(const InitContext& context);

// For exec: a process joining a running container.
struct JoinContext {
  plan::ProgramPlan* program = nullptr;  // the child's own: the guard may fit its Landlock layer
  handshake::Channel* channel = nullptr;
  int target = -1;               // pidfd of the container's init
  std::uint64_t namespaces = 0;  // CLONE_NEW* to join
  bool joins_user = false;
  int console_socket = -1;
  bool relays_console = false;  // the other end is ours
  int procfs = -1;
  int seccomp_socket = -1;
  std::vector<int> parents_descriptors;  // see InitContext
  const guard::Gate* gate = nullptr;
};
int join_main(const JoinContext& context);

}  // namespace langsbx::runtime
