// Cloning init, equipping it, and talking to it until it is ready.
#include "runtime/launch/launch.h"

#include <sched.h>

#include <cerrno>

#include "runtime/base/trace.h"
#include "runtime/confine/scheduling.h"
#include "runtime/host/net_devices.h"
#include "runtime/isolate/kernel_settings.h"
#include "runtime/isolate/namespaces.h"
#include "runtime/kernel/socket.h"
#include "runtime/launch/host_setup.h"
#include "runtime/launch/room_for_files.h"
#include "runtime/launch/self_protection.h"
#include "runtime/launch/stage.h"

namespace langsbx::runtime {
namespace {

using handshake::AtHooks;
using handshake::Channel;
using handshake::Conversation;
using handshake::Outside;
using handshake::Proceed;
using handshake::Ready;
using handshake::Speaker;

// A process can't put itself into a new pid namespace, and what it makes belongs to its user
// namespace.
constexpr std::uint64_t kNeededByClone = CLONE_NEWPID | CLONE_NEWUSER;

std::uint64_t namespaces_of_init(const LaunchInputs& inputs) {
  if (!inputs.order.init_makes_namespaces) return 0;
  return inputs.plan->namespaces.clone_flags & ~kNeededByClone;
}

Result<ChildProcess> clone(const LaunchInputs& inputs, const InitContext& context) {
  const auto& namespaces = inputs.plan->namespaces;
  const auto body = [&] { return init_main(context); };
  CloneOptions options;
  options.namespaces = namespaces.clone_flags & ~context.own_namespaces;
  if (namespaces.join_user) {
    const UndumpableChildren hidden(namespaces.joins_type(oci::NamespaceType::kPid));
    TRY(hidden.check());
    return fork_in_stage(namespaces, options, body);
  }
  options.cgroup = inputs.cgroup->clone_fd();
  // An id map of another user's child could not be written then; root's may.
  const UndumpableChildren hidden(namespaces.joins_type(oci::NamespaceType::kPid) &&
                                  (!namespaces.new_user || inputs.host->euid == 0));
  TRY(hidden.check());
  auto child = fork_in_pid_namespace(namespaces.joined(oci::NamespaceType::kPid), options, body);
  if (!child.ok() && options.cgroup >= 0) {
    return child.release_error().with_context("start the container's process in its cgroup");
  }
  return child;
}

isolate::MountContext mount_context(const LaunchInputs& inputs,
                                    const isolate::HostSources& sources) {
  const auto& plan = *inputs.plan;
  isolate::MountContext context;
  context.namespaces = &plan.namespaces;
  context.sources = &sources;
  context.cgroup = &inputs.cgroup->record();
  context.cgroup_host = inputs.cgroup_host;
  context.user_namespace = plan.namespaces.new_user || plan.namespaces.join_user;
  context.rootless = inputs.host->rootless;
  context.acts_as_crun = plan.program.acts_as_crun;
  context.stays = context.acts_as_crun && !plan.hooks.create_container.empty();
  return context;
}

// Into its cgroup, or as far as it then enters by itself.
Result<void> place_init(const LaunchInputs& inputs, Launched& launched) {
  auto& group = *inputs.cgroup;
  const bool born_inside = group.clone_fd() >= 0 && !inputs.plan->namespaces.join_user;
  // Of what starts with its first process, as a systemd unit does, nothing is there before.
  const bool enters = !born_inside && cgroup::has_entrance(group);
  if (!born_inside && !enters) TRY(group.add_process(launched.init.pid()));
  TRY(group.apply());
  if (!enters) return {};
  launched.entrance = cgroup::open_entrance(group);
  if (launched.entrance.tasks.empty()) return group.add_process(launched.init.pid());
  return {};
}

Result<void> equip(const LaunchInputs& inputs, Launched& launched) {
  const auto& plan = *inputs.plan;
  const pid_t pid = launched.init.pid();
  if (plan.namespaces.new_user) {
    TRY(isolate::write_id_maps(pid, plan.namespaces, inputs.host->euid == 0));
  }
  if (inputs.cgroup->exists()) TRY(place_init(inputs, launched));
  TRY(equip_program(plan.program, pid, launched.open_files ? &*launched.open_files : nullptr));
  TRY(move_net_devices(plan, pid));
  if (plan.intel_rdt) {
    launched.resctrl = TRY(join_intel_rdt(*plan.intel_rdt, inputs.hooks.state.id, pid));
  }
  return {};
}

Result<void> run_runtime_hooks(const LaunchInputs& inputs, pid_t pid) {
  auto state = inputs.hooks.state;
  state.pid = pid;
  const std::string json = oci::hook_state_json(state);
  const isolate::HookSurroundings surroundings{nullptr, inputs.hooks.output};
  const auto& hooks = inputs.plan->hooks;
  TRY(isolate::run_hooks("prestart", hooks.prestart, json, surroundings));
  return isolate::run_hooks("createRuntime", hooks.create_runtime, json, surroundings);
}

Result<void> converse(const LaunchInputs& inputs, Launched& launched) {
  Channel& channel = launched.channel;
  for (;;) {
    const auto message = TRY(channel.receive());
    if (std::holds_alternative<Ready>(message)) return {};
    if (std::holds_alternative<Outside>(message)) {
      TRY(inputs.cgroup->add_process(launched.init.pid()));
    } else if (std::holds_alternative<AtHooks>(message)) {
      TRY(run_runtime_hooks(inputs, launched.init.pid()));
    }
    TRY(channel.send(Proceed{}));
  }
}

bool is_silent_death(const Error& error) {
  return error.kind == ErrorKind::kNotFound && error.errno_value == 0;
}

// Init that is gone without a word was killed. Says by whom, if the cgroup knows.
Result<void> explained(const LaunchInputs& inputs, Launched& launched, Result<void> step) {
  if (step.ok() || !is_silent_death(step.error())) return step;
  const auto status = launched.init.wait();
  const auto oom = inputs.cgroup->exists() ? inputs.cgroup->has_oom_killed() : Result<bool>(false);
  if (oom.ok() && *oom) {
    return make_error(ErrorKind::kSystem, "container init was OOM-killed (memory limit too low?)");
  }
  return make_error(ErrorKind::kSystem, "container init ended with status " +
                                            std::to_string(status.ok() ? *status : -1) +
                                            " before it was ready");
}

}  // namespace

Result<Launched> clone_init(const LaunchInputs& inputs) {
  const auto& plan = *inputs.plan;
  RoomForFiles room;
  TRY(room.make(plan));
  const int lock = inputs.descriptors.lock;
  auto sources = TRY(isolate::HostSources::open(plan.rootfs, plan.namespaces, lock));
  // Next to the lock, with which init closes its end.
  auto pair = TRY(make_message_pair());
  const auto procfs = TRY(isolate::open_procfs());
  Channel child_channel(std::move(pair.second), Speaker::kInit, Conversation::kLaunch);
  InitContext context;
  context.launch = &plan;
  context.mounts = mount_context(inputs, sources);
  context.sources = &sources;
  context.own_namespaces = namespaces_of_init(inputs);
  context.channel = &child_channel;
  context.descriptors = &inputs.descriptors;
  context.parents_end = pair.first.get();
  context.procfs = procfs.get();
  context.open_files = room.for_init();
  context.guard = inputs.guard;
  context.hooks = &inputs.hooks;
  Launched launched;
  launched.mapper = sources.take_mapper();
  const trace::Span phase("clone");
  TRY(confine::bear_ordinary_children());
  launched.init = TRY(clone(inputs, context));
  sources.close();
  launched.open_files = room.meanwhile();
  room.restore();
  child_channel.close();
  launched.channel = Channel(std::move(pair.first), Speaker::kRuntime, Conversation::kLaunch);
  return launched;
}

Result<void> equip_init(const LaunchInputs& inputs, Launched& launched) {
  const trace::Span phase("cgroup: join, limits");
  return explained(inputs, launched, equip(inputs, launched));
}

Result<void> let_proceed(const LaunchInputs& inputs, Launched& launched) {
  auto sent = hand_over(launched.channel, Proceed{inputs.order.starts_at_once},
                        std::move(launched.entrance));
  // Init that is gone without a word is explained where its answer is awaited.
  if (!sent.ok() && sent.error().errno_value == EPIPE) return {};
  return sent;
}

Result<void> await_ready(const LaunchInputs& inputs, Launched& launched) {
  const trace::Span phase("wait for init");
  TRY(explained(inputs, launched, converse(inputs, launched)));
  launched.mapper = ChildProcess();
  return {};
}

}  // namespace langsbx::runtime
