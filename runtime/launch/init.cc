// The recipe of a container's init.
#include "runtime/launch/init.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "runtime/base/trace.h"
#include "runtime/confine/labels.h"
#include "runtime/isolate/console.h"
#include "runtime/isolate/kernel_settings.h"
#include "runtime/isolate/namespaces.h"
#include "runtime/kernel/own_status.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/session.h"
#include "runtime/kernel/socket.h"
#include "runtime/launch/child.h"
#include "runtime/launch/reaper.h"

namespace langsbx::runtime {
namespace {

using handshake::AtHooks;
using handshake::Channel;
using handshake::Conversation;
using handshake::Failed;
using handshake::Proceed;
using handshake::Ready;
using handshake::Records;
using handshake::Speaker;
using handshake::Start;

// For hooks: our state with the pid that the host knows, which the host's procfs tells.
std::string hook_state(const InitContext& context, oci::Status status) {
  auto state = context.hooks->state;
  state.status = status;
  char text[32] = {};
  if (::readlinkat(context.procfs, "self", text, sizeof text - 1) > 0) {
    state.pid = static_cast<pid_t>(std::strtol(text, nullptr, 10));
  }
  return oci::hook_state_json(state);
}

constexpr rlim_t kFewFiles = 128;

// So few that descriptors can't be left open for a while.
bool has_few_files(const confine::RlimitPlan& limits) {
  return std::any_of(limits.begin(), limits.end(), [](const auto& limit) {
    return limit.resource == RLIMIT_NOFILE && limit.value.rlim_cur < kFewFiles;
  });
}

const guard::Judge* judge_of(const InitContext& context) {
  return std::get_if<guard::Judge>(context.guard);
}

bool waits_for_start(const InitContext& context) {
  return context.descriptors->start_listener >= 0;
}

// `starts`: whether it is told not to wait for Start.
Result<isolate::Isolated> isolate_init(const InitContext& context, isolate::Used& used,
                                       bool& starts) {
  auto own = TRY(isolate::make_own_namespaces(*context.launch, context.own_namespaces));
  starts = TRY(enter_and_proceed(*context.channel)).start;
  auto isolated = TRY(isolate::enter_namespaces(std::move(own), used));
  TRY(become_undumpable());
  TRY(join_session_keyring(context.launch->program.session_keyring));
  return isolated;
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
                            {as_crun ? nullptr : &kNothing, context.hooks->output});
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
  options.socket = context.descriptors->console_socket;
  options.relayed = context.descriptors->relays_console;
  options.owner = program.identity.uid;
  options.size = program.console_size;
  return isolate::open_console(options);
}

// Only now: the mounts needed more. To lower a limit nobody needs a privilege.
Result<void> limit_open_files(const InitContext& context) {
  if (!context.open_files) return {};
  context.sources->close();
  if (::setrlimit(RLIMIT_NOFILE, &*context.open_files) == 0) return {};
  return system_error("setrlimit RLIMIT_NOFILE");
}

struct SetUp {
  Unprivileged identity;
  bool starts = false;  // true: no Start will come
};

Result<SetUp> set_up(const InitContext& context) {
  const auto& launch = *context.launch;
  trace::enter_container();
  trace::Span phase("namespaces");
  TRY(begin_child());
  bool starts = false;
  isolate::Used used(has_few_files(launch.program.rlimits) ? isolate::Used::kFew
                                                           : isolate::Used::kMost);
  auto isolated = TRY(isolate_init(context, used, starts));
  phase.next("mounts");
  auto rootfs = TRY(isolate::prepare_rootfs(isolated, context.mounts, used));
  phase.next("hooks");
  TRY(run_create_hooks(context, rootfs));
  phase.next("mounts: masks, root");
  const auto console = TRY(make_console(context, rootfs));
  // Before the root may become read-only.
  TRY(make_working_directory(rootfs.root.get(), launch.program.cwd));
  TRY(isolate::finish_rootfs(isolated, rootfs, used));
  TRY(limit_open_files(context));
  TRY(isolate::apply_kernel_settings(launch.rootfs, context.procfs));
  auto rooted = TRY(isolate::enter_rootfs(std::move(isolated), std::move(rootfs)));
  if (context.hooks->inside) TRY(context.hooks->inside());
  phase.end();
  auto identity = TRY(become_user(std::move(rooted), console, *context.guard, context.procfs));
  // `run` judges in a moment.
  if (const auto* const judge = judge_of(context); judge != nullptr && waits_for_start(context)) {
    const trace::Span foreseeing("guard: foresee");
    TRY((*judge)->foresee(identity.executable(), launch.program.args, launch.program.cwd,
                          identity.env()));
  }
  return SetUp{std::move(identity), starts};
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
  if (!waits_for_start(context)) return std::move(*context.channel);
  const EndsBySignal ends;
  context.channel->close();
  // Nothing of the host's that only a judgement needs is held while nobody knows for how long.
  if (const auto* const judge = judge_of(context)) (*judge)->stop_recording();
  context.sources->close();
  const int listener = context.descriptors->start_listener;
  auto connection = TRY(accept_message(listener));
  ::close(listener);
  return Channel(std::move(connection), Speaker::kInit, Conversation::kStart);
}

// Until it is told. Gives the socket for a seccomp listener, if there is one.
Result<UniqueFd> await_start(const InitContext& context, Channel& start) {
  std::vector<UniqueFd> descriptors;
  if (const auto* const judge = judge_of(context); judge != nullptr && waits_for_start(context)) {
    TRY(start.expect<Records>(&descriptors));
    TRY((*judge)->resume_recording(std::exchange(descriptors, {})));
  }
  TRY(start.expect<Start>(&descriptors));
  return descriptors.empty() ? UniqueFd() : std::move(descriptors.front());
}

Result<void> run_start_hooks(const InitContext& context, const Unprivileged& identity) {
  const auto& launch = *context.launch;
  if (launch.hooks.start_container.empty()) return {};
  return isolate::run_hooks("startContainer", launch.hooks.start_container,
                            hook_state(context, oci::Status::kCreated),
                            {&identity.env(), context.hooks->output,
                             [&] { return confine_hook(launch.program, context.procfs); }});
}

}  // namespace

int init_main(const InitContext& context) {
  const auto& descriptors = *context.descriptors;
  close_all({descriptors.lock, context.parents_end, descriptors.report_reader});
  auto made = set_up(context);
  if (!made.ok()) {
    static_cast<void>(context.channel->send(Failed{made.release_error()}));
    return 1;
  }
  close_all(descriptors.leaked);
  if (!context.channel->send(Ready{}).ok()) return 1;
  auto start = await_starter(context);
  if (!start.ok()) return 1;
  // An end without a word would look as if the program ran.
  const auto tell = [&](Error error) { static_cast<void>(start->send(Failed{std::move(error)})); };
  auto listener = made->starts ? Result<UniqueFd>(UniqueFd()) : await_start(context, *start);
  if (!listener.ok()) {
    tell(listener.release_error());
    return 1;
  }
  const auto go_on = [&] {
    auto hooked = run_start_hooks(context, made->identity);
    tell(hooked.ok() ? run_program(std::move(made->identity), *context.guard, context.procfs,
                                   listener->get())
                     : hooked.release_error());
    return 1;
  };
  if (descriptors.report >= 0) reap_for(descriptors.report, go_on, tell);
  return go_on();
}

}  // namespace langsbx::runtime
