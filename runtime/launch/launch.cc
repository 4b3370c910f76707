// Cloning init and talking to it until it is ready.
#include "runtime/launch/launch.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "runtime/base/trace.h"
#include "runtime/confine/scheduling.h"
#include "runtime/host/net_devices.h"
#include "runtime/isolate/hooks.h"
#include "runtime/isolate/kernel_settings.h"
#include "runtime/isolate/namespaces.h"
#include "runtime/kernel/socket.h"
#include "runtime/launch/host_setup.h"
#include "runtime/launch/self_protection.h"
#include "runtime/launch/stage.h"
#include "runtime/state/process_status.h"

namespace langsbx::runtime {
namespace {

using handshake::AtHooks;
using handshake::Channel;
using handshake::Message;
using handshake::Outside;
using handshake::Proceed;
using handshake::Records;
using handshake::Start;

// A process can't put itself into a new pid namespace, and what it makes belongs to its user
// namespace.
constexpr std::uint64_t kNeededByClone = CLONE_NEWPID | CLONE_NEWUSER;

Result<ChildProcess> clone_init(const LaunchInputs& inputs, const InitContext& context) {
  const auto& namespaces = inputs.launch->namespaces;
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

constexpr rlim_t kEnoughFiles = 64;

// RLIMIT_NOFILE while init is made: each source of a mount that is opened for it is a descriptor,
// of ours and then of init's.
class RoomForFiles {
 public:
  RoomForFiles() = default;
  RoomForFiles(const RoomForFiles&) = delete;
  RoomForFiles& operator=(const RoomForFiles&) = delete;
  ~RoomForFiles() { restore(); }

  // For `sources` of them, and for what else there is to open.
  Result<void> make(std::size_t sources, const rlimit* wanted) {
    if (sources == 0 && wanted == nullptr) return {};
    if (::getrlimit(RLIMIT_NOFILE, &own_) != 0) return system_error("getrlimit RLIMIT_NOFILE");
    meanwhile_ = own_;
    const rlim_t needed = sources + kEnoughFiles;
    if (meanwhile_.rlim_cur < needed) {
      meanwhile_.rlim_cur = std::min(needed, own_.rlim_max);
      if (::setrlimit(RLIMIT_NOFILE, &meanwhile_) != 0) {
        return system_error("setrlimit RLIMIT_NOFILE");
      }
      raised_ = true;
    }
    for_init_ = wanted != nullptr ? *wanted : own_;
    known_ = wanted != nullptr || raised_;
    return {};
  }
  void restore() {
    if (raised_) ::setrlimit(RLIMIT_NOFILE, &own_);
    raised_ = false;
  }
  // What init has until then; null: nothing has to be done.
  [[nodiscard]] const rlimit* meanwhile() const { return known_ ? &meanwhile_ : nullptr; }
  [[nodiscard]] std::optional<rlimit> for_init() const {
    return known_ ? std::optional<rlimit>(for_init_) : std::nullopt;
  }

 private:
  rlimit own_{};
  rlimit meanwhile_{};
  rlimit for_init_{};
  bool raised_ = false;
  bool known_ = false;
};

std::size_t sources_to_open(const plan::LaunchPlan& launch, bool user_namespace) {
  std::size_t count = user_namespace ? launch.rootfs.devices.size() : 0;
  for (const auto& step : launch.rootfs.mounts) {
    const bool mapped = step.options.idmap != plan::IdMap::kNone;
    if (step.options.bind && user_namespace) ++count;
    if (mapped) count += user_namespace ? 1 : 2;
  }
  return count;
}

// The files of its cgroups come to init after its limits do.
bool takes_descriptors(const plan::ProgramPlan& program) {
  return std::all_of(program.rlimits.begin(), program.rlimits.end(), [](const auto& limit) {
    return limit.resource != RLIMIT_NOFILE || limit.value.rlim_cur >= kEnoughFiles;
  });
}

Result<void> prepare_meanwhile(const LaunchInputs& inputs, Launched& launched) {
  if (inputs.meanwhile && !launched.prepared) TRY(inputs.meanwhile(launched));
  launched.prepared = true;
  return {};
}

// Limits first, so that init needs nobody once it is inside.
Result<bool> pass_child(const LaunchInputs& inputs, Launched& launched, const rlimit* files) {
  const auto& launch = *inputs.launch;
  if (!inputs.beside_birth || !launch.net_devices.empty() || launch.intel_rdt ||
      !takes_descriptors(launch.program)) {
    return false;
  }
  TRY(inputs.cgroup->apply());
  TRY(equip_program(launch.program, launched.init.pid(), files));
  // Init is making its namespaces, or waits behind us: nothing is gained by telling it to start
  // later.
  if (inputs.starts_at_once) TRY(prepare_meanwhile(inputs, launched));
  const bool passed =
      TRY(pass_into_cgroup(launched.channel, *inputs.cgroup, inputs.starts_at_once));
  launched.started = passed && inputs.starts_at_once;
  return passed;
}

// What only the parent may do to the child before it goes on.
Result<void> equip_child(const LaunchInputs& inputs, Launched& launched, const rlimit* files) {
  const auto& launch = *inputs.launch;
  const pid_t pid = launched.init.pid();
  if (launch.namespaces.new_user) {
    TRY(isolate::write_id_maps(pid, launch.namespaces, inputs.host->euid == 0));
  }
  if (inputs.cgroup->exists()) {
    if (TRY(pass_child(inputs, launched, files))) return {};
    const bool born_inside = inputs.cgroup->clone_fd() >= 0 && !launch.namespaces.join_user;
    if (!born_inside) TRY(bring_into_cgroup(launched.channel, *inputs.cgroup, pid));
    TRY(inputs.cgroup->apply());
  }
  TRY(equip_program(launch.program, pid, files));
  TRY(move_net_devices(launch, pid));
  if (launch.intel_rdt) {
    launched.resctrl = TRY(join_intel_rdt(*launch.intel_rdt, inputs.state.id, pid));
  }
  return launched.channel.send(Proceed{});
}

Result<void> run_runtime_hooks(const LaunchInputs& inputs, pid_t pid) {
  auto state = inputs.state;
  state.pid = pid;
  const std::string json = oci::hook_state_json(state);
  const isolate::HookSurroundings surroundings{nullptr, inputs.hook_output};
  TRY(isolate::run_hooks("prestart", inputs.launch->hooks.prestart, json, surroundings));
  return isolate::run_hooks("createRuntime", inputs.launch->hooks.create_runtime, json,
                            surroundings);
}

// Init is gone without a word: killed. Says by whom, if the cgroup knows.
Error explain_death(const LaunchInputs& inputs, ChildProcess& init) {
  const auto status = init.wait();
  const auto oom = inputs.cgroup->exists() ? inputs.cgroup->has_oom_killed() : Result<bool>(false);
  if (oom.ok() && *oom) {
    return make_error(ErrorKind::kSystem, "container init was OOM-killed (memory limit too low?)");
  }
  return make_error(ErrorKind::kSystem, "container init ended with status " +
                                            std::to_string(status.ok() ? *status : -1) +
                                            " before it was ready");
}

Result<void> converse(const LaunchInputs& inputs, Launched& launched) {
  Channel& channel = launched.channel;
  const pid_t pid = launched.init.pid();
  handshake::Sequence sequence;
  TRY(prepare_meanwhile(inputs, launched));
  if (inputs.starts_at_once && !launched.started) {
    auto sent = channel.send(Start{});
    // Init that has failed by now has said why.
    if (!sent.ok() && sent.error().errno_value != EPIPE) return sent;
    launched.started = true;
  }
  while (sequence.phase() != handshake::Phase::kReady) {
    const Message message = TRY(channel.receive());
    if (std::holds_alternative<Outside>(message)) {
      TRY(move_outsider(channel, *inputs.cgroup, pid));
      continue;
    }
    TRY(sequence.accept(message));
    if (std::holds_alternative<AtHooks>(message)) {
      TRY(run_runtime_hooks(inputs, pid));
      TRY(sequence.accept(Proceed{}));
      TRY(channel.send(Proceed{}));
    }
  }
  return {};
}

bool is_silent_death(const Error& error) {
  return error.kind == ErrorKind::kNotFound && error.errno_value == 0;
}

// Waits until the other end is closed by execve, or a failure arrives.
Result<void> await_exec(Channel& channel, const std::function<Result<void>()>& move = {}) {
  auto packet = TRY(receive_packet(channel.fd()));
  if (packet.closed && packet.unread) {
    return make_error(ErrorKind::kInternal, "container init ended before it was told to start");
  }
  if (packet.closed) return {};
  auto message = TRY(handshake::decode(packet.data));
  if (move && std::holds_alternative<Outside>(message)) {
    TRY(move());
    return await_exec(channel);
  }
  if (auto* failed = std::get_if<handshake::Failed>(&message)) return std::move(failed->error);
  return make_error(ErrorKind::kInternal, "handshake: unexpected message after Start");
}

Result<void> forward_listener(const confine::SeccompPlan& seccomp, const UniqueFd& socket,
                              const oci::State& state) {
  auto listener = confine::receive_listener(socket.get(), -1);
  // The socket closes without a descriptor when init failed first: its own message says why.
  if (!listener.ok()) return {};
  return confine::send_listener(
      seccomp.listener_path, listener->get(),
      oci::seccomp_listener_json(state, state.pid, seccomp.listener_metadata));
}

}  // namespace

Result<Launched> launch_init(const LaunchInputs& inputs) {
  auto& launch = *inputs.launch;
  const bool user_namespace = launch.namespaces.new_user || launch.namespaces.join_user;
  RoomForFiles room;
  TRY(room.make(sources_to_open(launch, user_namespace),
                confine::open_files_of(launch.program.rlimits)));
  // For as long as this goes on.
  const auto helper =
      TRY(isolate::open_host_sources(launch.rootfs, launch.namespaces, inputs.lock));
  // Next to the lock, with which init closes its end.
  auto pair = TRY(make_message_pair());
  const auto procfs = TRY(isolate::open_procfs());
  Channel child_channel(std::move(pair.second));
  InitContext context;
  context.launch = &launch;
  context.channel = &child_channel;
  context.start_listener = inputs.start_listener;
  context.console_socket = inputs.console_socket;
  context.relays_console = inputs.relays_console;
  context.procfs = procfs.get();
  context.report = inputs.report;
  if (inputs.lock >= 0) context.parents_descriptors.push_back(inputs.lock);
  context.parents_descriptors.push_back(pair.first.get());
  if (inputs.report_reader >= 0) context.parents_descriptors.push_back(inputs.report_reader);
  context.leaked_descriptors = inputs.leaked_descriptors;
  context.state = &inputs.state;
  context.gate = inputs.gate;
  if (inputs.beside_birth) {
    context.own_namespaces = launch.namespaces.clone_flags & ~kNeededByClone;
  }
  context.hook_output = inputs.hook_output;
  context.inside = inputs.inside;
  context.mounts = {&launch.namespaces, &inputs.cgroup->record(), inputs.cgroup_host,
                    user_namespace,     inputs.host->rootless,    inputs.acts_as_crun};
  context.mounts.stays = inputs.acts_as_crun && !launch.hooks.create_container.empty();
  context.open_files = room.for_init();
  Launched launched;
  trace::Span phase("clone");
  TRY(confine::bear_ordinary_children());
  const auto before = state::ticks_since_boot();
  launched.init = TRY(clone_init(inputs, context));
  isolate::close_host_sources(launch.rootfs);
  room.restore();
  if (state::ticks_since_boot() == before) launched.start_time = before;
  child_channel.close();
  launched.channel = Channel(std::move(pair.first));
  if (inputs.beside_birth) TRY(inputs.beside_birth(launched));
  phase.next("cgroup: join, limits");
  if (inputs.after_clone) TRY(inputs.after_clone(launched.init.pid()));
  auto talked = equip_child(inputs, launched, room.meanwhile());
  if (talked.ok()) {
    phase.next("wait for init");
    talked = converse(inputs, launched);
  }
  if (talked.ok()) return launched;
  if (is_silent_death(talked.error())) return explain_death(inputs, launched.init);
  return talked.release_error();
}

Result<void> start_init(Channel& channel, const StartInputs& inputs) {
  if (!inputs.records.empty()) {
    std::vector<int> records;
    for (const auto& record : inputs.records) records.push_back(record.get());
    TRY(channel.send(Records{}, records));
  }
  // Who was started at once has no filter that notifies, whatever path config.json names.
  if (inputs.started || inputs.seccomp == nullptr || !inputs.seccomp->has_listener()) {
    if (!inputs.started) TRY(channel.send(Start{}));
    return await_exec(channel);
  }
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return system_error("socketpair");
  }
  const UniqueFd ours(sockets[0]);
  UniqueFd theirs(sockets[1]);
  TRY(channel.send(Start{}, {theirs.get()}));
  theirs.reset();
  TRY_CONTEXT(forward_listener(*inputs.seccomp, ours, inputs.state), "seccomp listener");
  return await_exec(channel);
}

Result<ChildProcess> launch_join(const JoinInputs& inputs) {
  auto pair = TRY(make_message_pair());
  const auto procfs = TRY(isolate::open_procfs());
  SocketPair listener;
  if (inputs.program->seccomp.has_listener()) listener = TRY(make_message_pair());
  Channel child_channel(std::move(pair.second));
  JoinContext context;
  context.program = inputs.program;
  context.channel = &child_channel;
  context.target = inputs.target_pidfd;
  context.namespaces = inputs.namespaces;
  context.joins_user = (inputs.namespaces & CLONE_NEWUSER) != 0;
  context.console_socket = inputs.console_socket;
  context.relays_console = inputs.relays_console;
  context.procfs = procfs.get();
  context.seccomp_socket = listener.second.get();
  context.parents_descriptors = {pair.first.get()};
  if (listener.first.valid()) context.parents_descriptors.push_back(listener.first.get());
  context.gate = inputs.gate;
  trace::Span phase("clone");
  TRY(confine::bear_ordinary_children());
  auto child = TRY([&]() -> Result<ChildProcess> {
    // A stage that is to be watched hides itself, as soon as it is.
    const UndumpableChildren hidden(!inputs.rootless || !inputs.before_start);
    TRY(hidden.check());
    return fork_joining(inputs, context);
  }());
  phase.next("wait for execve");
  child_channel.close();
  listener.second.reset();
  Channel channel(std::move(pair.first));
  const bool enters = inputs.cgroup->exists() && (inputs.rootless || inputs.cgroup->clone_fd() < 0);
  const bool passes =
      enters && !inputs.program->seccomp.has_listener() && takes_descriptors(*inputs.program);
  if (enters && !passes) TRY(bring_into_cgroup(channel, *inputs.cgroup, child.pid()));
  TRY(equip_program(*inputs.program, child.pid()));
  if (inputs.before_start && !inputs.rootless) TRY(inputs.before_start(child.pid()));
  if (!passes || !TRY(pass_into_cgroup(channel, *inputs.cgroup))) {
    if (passes) TRY(bring_into_cgroup(channel, *inputs.cgroup, child.pid()));
    TRY(channel.send(Proceed{}));
  }
  if (inputs.program->seccomp.has_listener()) {
    TRY_CONTEXT(forward_listener(inputs.program->seccomp, listener.first, inputs.state),
                "seccomp listener");
  }
  TRY(await_exec(channel, [&] { return move_outsider(channel, *inputs.cgroup, child.pid()); }));
  return child;
}

}  // namespace langsbx::runtime
