// The child's recipes: init of a container, and a process that joins one.
#include "runtime/launch/init.h"

#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "runtime/base/trace.h"
#include "runtime/cgroup/entrance.h"
#include "runtime/confine/labels.h"
#include "runtime/isolate/console.h"
#include "runtime/isolate/kernel_settings.h"
#include "runtime/isolate/namespaces.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/own_status.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/socket.h"
#include "runtime/launch/become.h"
#include "runtime/launch/reaper.h"

namespace langsbx::runtime {
namespace {

using handshake::AtHooks;
using handshake::Channel;
using handshake::Enter;
using handshake::Entered;
using handshake::Failed;
using handshake::Message;
using handshake::Outside;
using handshake::Pass;
using handshake::PassAndStart;
using handshake::Proceed;
using handshake::Ready;
using handshake::Records;
using handshake::Start;

void close_all(const std::vector<int>& descriptors) {
  std::vector<UniqueFd> all(descriptors.begin(), descriptors.end());
  close_together(all);
}

// For hooks: our state with the pid that the host knows, which the host's procfs tells.
std::string hook_state(const InitContext& context, oci::Status status) {
  auto state = *context.state;
  state.status = status;
  char text[32] = {};
  if (::readlinkat(context.procfs, "self", text, sizeof text - 1) > 0) {
    state.pid = static_cast<pid_t>(std::strtol(text, nullptr, 10));
  }
  return oci::hook_state_json(state);
}

// A session keyring of its own, so that the container does not share the caller's keys.
Result<void> join_session_keyring(const std::string& name) {
  if (name.empty()) return {};
  if (::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, name.c_str()) >= 0) return {};
  // Not built in, or refused by an outer filter; quota of the user (EDQUOT) is the caller's.
  if (errno == ENOSYS || errno == EPERM || errno == EACCES) return {};
  return system_error("create session key");
}

// Start may have been sent before it was known that this process has to be moved.
Result<void> await_proceed(Channel& channel, bool& started) {
  auto message = TRY(channel.receive());
  if (std::holds_alternative<Start>(message) && !started) {
    started = true;
    message = TRY(channel.receive());
  }
  if (std::holds_alternative<Proceed>(message)) return {};
  return make_error(ErrorKind::kInternal, "handshake: expected Proceed");
}

// Into its cgroups, when it is asked to; then on, when it is told. `started`: told to start, too.
Result<void> enter_and_proceed(Channel& channel, bool& started) {
  std::vector<UniqueFd> entrance;
  const auto message = TRY(channel.receive(&entrance));
  if (std::holds_alternative<Proceed>(message)) return {};
  started = std::holds_alternative<PassAndStart>(message);
  const bool passes = started || std::holds_alternative<Pass>(message);
  if (!passes && !std::holds_alternative<Enter>(message)) {
    return make_error(ErrorKind::kInternal, "handshake: expected Enter, Pass or Proceed");
  }
  const bool entered = cgroup::enter(std::move(entrance));
  if (passes && entered) return {};
  TRY(channel.send(entered ? Message(Entered{}) : Message(Outside{})));
  return await_proceed(channel, started);
}

constexpr rlim_t kFewFiles = 128;

// So few that descriptors can't be left open for a while.
bool has_few_files(const confine::RlimitPlan& limits) {
  return std::any_of(limits.begin(), limits.end(), [](const auto& limit) {
    return limit.resource == RLIMIT_NOFILE && limit.value.rlim_cur < kFewFiles;
  });
}

Result<void> enter_namespaces(const InitContext& context, bool& started, isolate::Used& used) {
  const auto& namespaces = context.launch->namespaces;
  TRY(isolate::unshare_namespaces(context.own_namespaces));
  TRY(enter_and_proceed(*context.channel, started));
  UniqueFd offsets;
  if (!namespaces.join_user) offsets = TRY(isolate::open_time_offsets(namespaces));
  if (namespaces.new_user) TRY(isolate::become_namespace_root());
  if (!namespaces.join_user) TRY(isolate::join_namespaces(namespaces));
  TRY(isolate::unshare_late_namespaces(namespaces, offsets.get()));
  if (namespaces.makes(oci::NamespaceType::kNetwork)) used.add(TRY(isolate::bring_up_loopback()));
  if (::prctl(PR_SET_DUMPABLE, 0) != 0) return system_error("prctl PR_SET_DUMPABLE");
  return join_session_keyring(context.launch->program.session_keyring);
}

bool has_runtime_hooks(const oci::Hooks& hooks) {
  return !hooks.prestart.empty() || !hooks.create_runtime.empty();
}

// As runc: in the container's root, with no environment but their own. As crun: where the runtime
// is, with what it has.
Result<void> run_container_hooks(const InitContext& context, const isolate::Rootfs& rootfs) {
  static const std::vector<std::string> kNothing;
  const bool as_crun = context.mounts.acts_as_crun;
  if (!as_crun && ::fchdir(rootfs.root.get()) != 0) return system_error("fchdir to the root");
  TRY(attend_to_signals(TRY(read_own_status(context.procfs)).ignored_signals));
  return isolate::run_hooks("createContainer", context.launch->hooks.create_container,
                            hook_state(context, oci::Status::kCreating),
                            {as_crun ? nullptr : &kNothing, context.hook_output});
}

Result<void> run_create_hooks(const InitContext& context, const isolate::Rootfs& rootfs) {
  const auto& hooks = context.launch->hooks;
  if (has_runtime_hooks(hooks)) {
    TRY(context.channel->send(AtHooks{}));
    TRY(context.channel->expect<Proceed>());
  }
  if (hooks.create_container.empty()) return {};
  return run_container_hooks(context, rootfs);
}

Result<UniqueFd> make_console(const InitContext& context, const isolate::Rootfs& rootfs) {
  const auto& program = context.launch->program;
  if (!program.terminal) return UniqueFd();
  isolate::ConsoleOptions options;
  options.root = rootfs.root.get();
  options.socket = context.console_socket;
  options.relayed = context.relays_console;
  options.owner = program.identity.uid;
  options.size = program.console_size;
  return isolate::open_console(options);
}

Result<void> take_streams(const UniqueFd& console, const plan::ProgramPlan& program) {
  if (console.valid()) return isolate::take_console(console.get());
  return isolate::give_streams_to(program.identity.uid, program.streams_group);
}

// Only now: the mounts needed more. To lower a limit nobody needs a privilege.
Result<void> limit_open_files(const InitContext& context) {
  if (!context.open_files) return {};
  isolate::close_copied_sources(context.launch->rootfs);
  if (::setrlimit(RLIMIT_NOFILE, &*context.open_files) == 0) return {};
  return system_error("setrlimit RLIMIT_NOFILE");
}

Result<Unprivileged> set_up(const InitContext& context, bool& started) {
  const auto& launch = *context.launch;
  trace::enter_container();
  trace::Span phase("namespaces");
  TRY(unblock_signals());
  ::umask(0);
  isolate::Used used(has_few_files(launch.program.rlimits) ? isolate::Used::kFew
                                                           : isolate::Used::kMost);
  TRY(enter_namespaces(context, started, used));
  phase.next("mounts");
  auto rootfs = TRY(isolate::prepare_rootfs(launch.rootfs, context.mounts, used));
  phase.next("hooks");
  TRY(run_create_hooks(context, rootfs));
  phase.next("mounts: masks, root");
  const auto console = TRY(make_console(context, rootfs));
  // Before the root may become read-only.
  TRY(make_working_directory(rootfs.root.get(), launch.program.cwd));
  TRY(isolate::finish_rootfs(launch.rootfs, rootfs, used));
  TRY(limit_open_files(context));
  TRY(isolate::apply_kernel_settings(launch.rootfs, context.procfs));
  TRY(isolate::enter_rootfs(launch.rootfs, rootfs));
  ::setsid();
  TRY(take_streams(console, launch.program));
  if (context.inside) TRY(context.inside());
  phase.next("guard: pin");
  if (context.gate != nullptr) TRY(context.gate->pin(launch.program, context.procfs));
  phase.next("confine: identity");
  // The guard pins its files in a mount namespace of its own, which the old descriptor does not
  // show.
  const bool shows_all = context.gate == nullptr && !context.inside;
  auto root = shows_all ? std::move(rootfs.root) : UniqueFd();
  auto identity =
      TRY(drop_privileges(Rooted::entered(std::move(root)), launch.program, context.procfs));
  // `run` judges in a moment.
  if (context.gate != nullptr && context.start_listener >= 0) {
    phase.next("guard: foresee");
    TRY(context.gate->foresee(identity.executable, launch.program.args, launch.program.cwd,
                              identity.env));
  }
  return identity;
}

// The kernel drops a signal for which process 1 of a pid namespace has no handler. While it waits
// there is no program that could heed one, and whoever asks it to end means it.
class EndsBySignal {
 public:
  EndsBySignal() {
    handle([](int signal) { ::_exit(128 + signal); });
  }
  EndsBySignal(const EndsBySignal&) = delete;
  EndsBySignal& operator=(const EndsBySignal&) = delete;
  ~EndsBySignal() { handle(SIG_DFL); }

 private:
  static void handle(void (*handler)(int)) {
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) ::signal(signal, handler);
  }
};

// Whom `start` connects with; for `run` the one there is. A failure goes there, too.
Result<Channel> await_starter(const InitContext& context) {
  if (context.start_listener < 0) return std::move(*context.channel);
  const EndsBySignal ends;
  context.channel->close();
  // Nothing of the host's that only a judgement needs is held while nobody knows for how long.
  if (context.gate != nullptr) context.gate->stop_recording();
  // Once only: by now their numbers may be those of other files.
  if (!context.open_files) isolate::close_copied_sources(context.launch->rootfs);
  auto connection = TRY(accept_message(context.start_listener));
  ::close(context.start_listener);
  return Channel(std::move(connection));
}

// Until it is told; `descriptors`: the socket for a seccomp listener, if it gets one.
Result<void> await_start(const InitContext& context, Channel& start,
                         std::vector<UniqueFd>& descriptors) {
  auto message = TRY(start.receive(&descriptors));
  if (context.gate != nullptr && context.start_listener >= 0) {
    if (!std::holds_alternative<Records>(message)) descriptors.clear();
    TRY(context.gate->resume_recording(std::move(descriptors)));
    descriptors.clear();
    message = TRY(start.receive(&descriptors));
  }
  if (std::holds_alternative<Start>(message)) return {};
  return make_error(ErrorKind::kInternal, "handshake: expected Start");
}

int socket_of(const std::vector<UniqueFd>& descriptors) {
  return descriptors.empty() ? -1 : descriptors.front().get();
}

Error start_program(const InitContext& context, Unprivileged identity, int seccomp_socket) {
  const auto& launch = *context.launch;
  const auto run = [&]() -> Result<void> {
    if (!launch.hooks.start_container.empty()) {
      TRY(isolate::run_hooks("startContainer", launch.hooks.start_container,
                             hook_state(context, oci::Status::kCreated),
                             {&identity.env, context.hook_output,
                              [&] { return confine_hook(launch.program, context.procfs); }}));
    }
    trace::Span phase("guard");
    auto cleared = TRY(clear_program(std::move(identity), launch.program, context.gate));
    phase.next("confine");
    const auto confined =
        TRY(confine_program(std::move(cleared), launch.program, context.procfs, seccomp_socket));
    phase.next("exec");
    return execute(confined, launch.program);
  };
  // execute() returns only with an error, so there is always one.
  return run().release_error();
}

Result<void> join_container(const JoinContext& context) {
  bool started = false;
  TRY(enter_and_proceed(*context.channel, started));
  if (context.namespaces != 0 &&
      ::setns(context.target, static_cast<int>(context.namespaces)) != 0) {
    return system_error("setns to the container's namespaces");
  }
  if (context.joins_user) TRY(isolate::become_namespace_root());
  return join_session_keyring(context.program->session_keyring);
}

Result<UniqueFd> join_console(const JoinContext& context) {
  if (!context.program->terminal) return UniqueFd();
  const auto root = TRY(open_file("/", O_PATH | O_DIRECTORY));
  isolate::ConsoleOptions options;
  options.root = root.get();
  options.socket = context.console_socket;
  options.relayed = context.relays_console;
  options.owner = context.program->identity.uid;
  options.size = context.program->console_size;
  options.bind_console = false;
  return isolate::open_console(options);
}

Error join_and_execute(const JoinContext& context) {
  const auto run = [&]() -> Result<void> {
    auto& program = *context.program;
    trace::enter_container();
    trace::Span phase("namespaces: join");
    TRY(unblock_signals());
    ::umask(0);
    // Before any process of the container can see this one (CVE-2016-9962).
    if (::prctl(PR_SET_DUMPABLE, 0) != 0) return system_error("prctl PR_SET_DUMPABLE");
    TRY(join_container(context));
    const auto console = TRY(join_console(context));
    ::setsid();
    TRY(take_streams(console, program));
    if (context.gate != nullptr) TRY(context.gate->pin(program, context.procfs));
    if (program.cwd != "/") {
      const auto root = TRY(open_file("/", O_PATH | O_DIRECTORY));
      TRY(make_working_directory(root.get(), program.cwd));
    }
    phase.next("confine: identity");
    auto identity = TRY(drop_privileges(Rooted::entered(), program, context.procfs));
    phase.next("guard");
    auto cleared = TRY(clear_program(std::move(identity), program, context.gate));
    if (context.gate != nullptr) context.gate->fit(program);
    phase.next("confine");
    const auto confined =
        TRY(confine_program(std::move(cleared), program, context.procfs, context.seccomp_socket));
    phase.next("exec");
    return execute(confined, program);
  };
  // execute() returns only with an error, so there is always one.
  return run().release_error();
}

}  // namespace

int init_main(const InitContext& context) {
  close_all(context.parents_descriptors);
  bool started = false;
  auto identity = set_up(context, started);
  if (!identity.ok()) {
    static_cast<void>(context.channel->send(Failed{identity.release_error()}));
    return 1;
  }
  close_all(context.leaked_descriptors);
  if (!context.channel->send(Ready{}).ok()) return 1;
  auto start = await_starter(context);
  if (!start.ok()) return 1;
  const auto tell = [&](Error error) { static_cast<void>(start->send(Failed{std::move(error)})); };
  std::vector<UniqueFd> descriptors;
  auto told = started ? Result<void>() : await_start(context, *start, descriptors);
  if (!told.ok()) {
    // An end without a word would look as if the program ran.
    tell(told.release_error());
    return 1;
  }
  const auto go_on = [&] {
    tell(start_program(context, identity.release_value(), socket_of(descriptors)));
    return 1;
  };
  if (context.report >= 0) reap_for(context.report, go_on, tell);
  return go_on();
}

int join_main(const JoinContext& context) {
  close_all(context.parents_descriptors);
  auto error = join_and_execute(context);
  static_cast<void>(context.channel->send(Failed{std::move(error)}));
  return 255;
}

}  // namespace langsbx::runtime
