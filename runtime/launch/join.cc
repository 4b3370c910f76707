// Making the process where it has to be born, and letting it proceed.
#include "runtime/launch/join.h"

#include <sched.h>

#include <algorithm>
#include <cerrno>

#include "runtime/base/trace.h"
#include "runtime/cgroup/entrance.h"
#include "runtime/confine/scheduling.h"
#include "runtime/isolate/join.h"
#include "runtime/isolate/kernel_settings.h"
#include "runtime/kernel/socket.h"
#include "runtime/launch/host_setup.h"
#include "runtime/launch/init.h"
#include "runtime/launch/room_for_files.h"
#include "runtime/launch/self_protection.h"
#include "runtime/launch/stage.h"
#include "runtime/launch/start_program.h"

namespace langsbx::runtime {
namespace {

using handshake::Channel;
using handshake::Conversation;
using handshake::Proceed;
using handshake::Speaker;

// `pid_namespace`: -1 when the runtime itself has joined it already.
Result<ChildProcess> fork_into_cgroup(const JoinInputs& inputs, const JoinContext& context,
                                      int pid_namespace) {
  CloneOptions options;
  options.cgroup = inputs.cgroup->clone_fd();
  const auto body = [&] { return join_main(context); };
  auto child = fork_in_pid_namespace(pid_namespace, options, body);
  // EBUSY: the container has made sub-cgroups with controllers; its init sits in one of them.
  if (!child.ok() && options.cgroup >= 0 && child.error().errno_value == EBUSY) {
    if (inputs.cgroup->is_named()) return inputs.cgroup->cannot_join_busy();
    auto group = TRY(inputs.cgroup->group_of(inputs.target));
    options.cgroup = group.clone_fd();
    return fork_in_pid_namespace(pid_namespace, options, body);
  }
  return child;
}

// In the container's pid namespace and, where cgroup2 can, its cgroup.
Result<ChildProcess> fork_joining(const JoinInputs& inputs, JoinContext& context) {
  if (inputs.rootless) {
    // Only the container's user namespace gives the right to enter its pid namespace.
    const JoinStage stage{inputs.target_pidfd, inputs.namespaces, inputs.before_start,
                          inputs.program->identity.keep_groups};
    return fork_in_joined_stage(stage, [&] { return join_main(context); });
  }
  context.namespaces = inputs.namespaces & ~std::uint64_t{CLONE_NEWPID};
  int pid_namespace = -1;
  if ((inputs.namespaces & CLONE_NEWPID) != 0) {
    // What is forked for `before_start` belongs into ours.
    if (inputs.before_start) {
      pid_namespace = inputs.target_pidfd;
    } else {
      TRY(bear_children_in(inputs.target_pidfd));
    }
  }
  return fork_into_cgroup(inputs, context, pid_namespace);
}

Result<ChildProcess> fork_hidden(const JoinInputs& inputs, JoinContext& context) {
  // A stage that is to be watched hides itself, as soon as it is.
  const UndumpableChildren hidden(!inputs.rootless || !inputs.before_start);
  TRY(hidden.check());
  return fork_joining(inputs, context);
}

// The files of its cgroups come to the process after its limits do.
bool takes_descriptors(const plan::ProgramPlan& program) {
  return std::all_of(program.rlimits.begin(), program.rlimits.end(), [](const auto& limit) {
    return limit.resource != RLIMIT_NOFILE || limit.value.rlim_cur >= kEnoughFiles;
  });
}

// Into the container's cgroup, or as far as the process then enters by itself. It does not where a
// listener is waited for before its answer could be heard.
Result<cgroup::Entrance> place_process(const JoinInputs& inputs, pid_t pid) {
  auto& group = *inputs.cgroup;
  cgroup::Entrance entrance;
  if (!group.exists() || (!inputs.rootless && group.clone_fd() >= 0)) return entrance;
  const auto& program = *inputs.program;
  if (!program.seccomp.has_listener() && takes_descriptors(program)) {
    entrance = cgroup::open_entrance(group);
  }
  if (entrance.tasks.empty()) TRY(group.add_process(pid));
  return entrance;
}

Result<void> await_program(const JoinInputs& inputs, Channel& channel, pid_t pid) {
  if (!TRY(await_exec(channel))) return {};
  TRY(inputs.cgroup->add_process(pid));
  TRY(channel.send(Proceed{}));
  TRY(await_exec(channel));
  return {};
}

}  // namespace

Result<ChildProcess> launch_join(const JoinInputs& inputs) {
  auto pair = TRY(make_message_pair());
  const auto procfs = TRY(isolate::open_procfs());
  SocketPair listener;
  const bool listens = inputs.program->seccomp.has_listener();
  if (listens) listener = TRY(make_message_pair());
  Channel child_channel(std::move(pair.second), Speaker::kInit, Conversation::kExec);
  JoinContext context;
  context.program = inputs.program;
  context.guard = inputs.guard;
  context.channel = &child_channel;
  context.target = inputs.target_pidfd;
  context.console_socket = inputs.console.socket;
  context.relays_console = inputs.console.relayed;
  context.procfs = procfs.get();
  context.seccomp_socket = listener.second.get();
  context.parents_descriptors = {pair.first.get()};
  if (listens) context.parents_descriptors.push_back(listener.first.get());
  trace::Span phase("clone");
  TRY(confine::bear_ordinary_children());
  auto child = TRY(fork_hidden(inputs, context));
  phase.next("wait for execve");
  child_channel.close();
  listener.second.reset();
  Channel channel(std::move(pair.first), Speaker::kRuntime, Conversation::kExec);
  auto entrance = TRY(place_process(inputs, child.pid()));
  TRY(equip_program(*inputs.program, child.pid()));
  if (inputs.before_start && !inputs.rootless) TRY(inputs.before_start(child.pid()));
  TRY(hand_over(channel, Proceed{true}, std::move(entrance)));
  if (listens) {
    TRY_CONTEXT(forward_listener(inputs.program->seccomp, listener.first, inputs.state),
                "seccomp listener");
  }
  TRY(await_program(inputs, channel, child.pid()));
  return child;
}

}  // namespace langsbx::runtime
