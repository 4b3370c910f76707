// Starting a waiting container and taking one down.
#include "runtime/poststart.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "oci/reader.h"
#include "runtime/base/trace.h"
#include "runtime/guard/make_gate.h"
#include "runtime/isolate/hooks.h"
#include "runtime/kernel/process.h"
#include "runtime/launch.h"
#include "runtime/notify_socket.h"
#include "runtime/prepare.h"
#include "runtime/state/process_status.h"
#include "runtime/time_limits.h"

namespace langsbx::runtime {
namespace {

constexpr int kQuickDeathMs = 300;
constexpr int kDeathTimeoutMs = 10000;

oci::State state_for_hooks(const Opened& opened, oci::Status status) {
  auto state = opened.container.state(opened.record);
  state.status = status;
  // A program that has ended by now had this pid all the same: poststart is told it.
  state.pid = status == oci::Status::kStopped ? 0 : opened.record.init_pid;
  return state;
}

}  // namespace

bool may_name(std::string_view config, std::string_view member) {
  // As names are compared when it is read.
  const auto lower = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
  };
  const auto found =
      std::search(config.begin(), config.end(), member.begin(), member.end(),
                  [&](char letter, char wanted) { return lower(letter) == lower(wanted); });
  return found != config.end() || config.find("\\u") != std::string_view::npos;
}

oci::State listener_state(const Opened& opened, oci::Status status) {
  auto state = opened.container.state(opened.record);
  state.status = status;
  state.pid = opened.record.init_pid;
  // The version of the document itself, which is what crun puts there.
  if (opened.record.runtime_name == "crun") state.oci_version = "0.2.0";
  return state;
}

namespace {

// What `start` must know of the filters: only whether somebody listens, and where.
confine::SeccompPlan listener_of(const oci::Spec& spec) {
  confine::SeccompPlan plan;
  if (!spec.linux_ || !spec.linux_->seccomp) return plan;
  plan.listener_path = spec.linux_->seccomp->listener_path;
  plan.listener_metadata = spec.linux_->seccomp->listener_metadata;
  return plan;
}

bool ends_within(const UniqueFd& pidfd, int milliseconds) {
  pollfd ended{pidfd.get(), POLLIN, 0};
  while (::poll(&ended, 1, milliseconds) < 0 && errno == EINTR) {
  }
  return ended.revents != 0;
}

bool init_lives(const state::Record& record) {
  return record.init_pid > 0 && state::is_process_alive(record.init_pid, record.init_start_time);
}

// SIGKILL to init, wait until it is gone.
Result<void> kill_init(const state::Record& record, const cgroup::Cgroup& group) {
  auto pidfd = open_pidfd(record.init_pid);
  if (!pidfd.ok()) return {};
  // The pid may have been reused between the check and the open.
  if (!init_lives(record)) return {};
  if (auto sent = signal_pidfd(pidfd->get(), SIGKILL);
      !sent.ok() && sent.error().errno_value != ESRCH) {
    return sent;
  }
  if (ends_within(*pidfd, kQuickDeathMs)) return {};
  group.reclaim_frozen();
  if (ends_within(*pidfd, kDeathTimeoutMs)) return {};
  return make_error(ErrorKind::kTimeout, "container init still running");
}

// Init has said why it failed and is about to end. Clients delete a container whose start failed at
// once, and keep what they made for it for ever when it seems to run: they hear of it afterwards.
void await_end(const Opened& opened) {
  const auto pidfd = open_pidfd(opened.record.init_pid);
  if (!pidfd.ok() || !init_lives(opened.record)) return;
  if (ends_within(*pidfd, kQuickDeathMs)) return;
  static_cast<void>(kill_init(opened.record, opened.group));
}

std::vector<oci::Hook> recorded_poststop(const Opened& opened) {
  const auto config = opened.container.read_config();
  if (!config.ok() || !may_name(*config, "poststop")) return {};
  auto spec = oci::read_spec(*config, state::kConfigFile);
  if (!spec.ok()) return {};
  return std::move(spec->hooks.poststop);
}

}  // namespace

namespace {

Result<void> run_poststart(const Opened& opened, const oci::Spec& spec) {
  const auto output = TRY(isolate::open_hook_output(opened.record.annotations));
  return isolate::run_hooks("poststart", spec.hooks.poststart,
                            oci::hook_state_json(state_for_hooks(opened, oci::Status::kRunning)),
                            {nullptr, &output});
}

}  // namespace

Result<UniqueFd> start_and_poststart(const Context& context, Opened& opened, const oci::Spec& spec,
                                     handshake::Channel& channel, bool started_already) {
  auto notify = TRY(bind_notify_socket(opened.container, opened.record));
  const auto seccomp = listener_of(spec);
  StartInputs inputs;
  inputs.seccomp = &seccomp;
  inputs.started = started_already;
  // `run` has no socket to start by: its init did not close what the gate writes to.
  const bool waits = !started_already && ::faccessat(opened.container.fd(), state::kStartSocket,
                                                     F_OK, AT_SYMLINK_NOFOLLOW) == 0;
  if (waits && !opened.record.guard.empty()) {
    inputs.records = TRY(
        guard::open_records(opened.container.fd(), opened.record.guard, opened.record.rootless));
  }
  if (seccomp.has_listener()) inputs.state = listener_state(opened, oci::Status::kCreating);
  trace::Span starting("start: until execve");
  auto started = start_init(channel, inputs);
  starting.end();
  const bool stays = !started_already &&
                     ::unlinkat(opened.container.fd(), state::kStartSocket, 0) != 0 &&
                     errno != ENOENT;
  if (stays && started.ok()) {
    // It would count as waiting for good.
    started = system_error(std::string("unlink ") + state::kStartSocket);
    static_cast<void>(destroy_container(context, opened));
  }
  if (!started.ok()) {
    await_end(opened);
    return started.release_error().with_context("unable to start container process");
  }
  if (auto watched = watch_time(context, opened); !watched.ok()) {
    // A limit that nobody watches is no limit.
    static_cast<void>(destroy_container(context, opened));
    return watched.release_error();
  }
  if (spec.hooks.poststart.empty()) return notify;
  const auto hooked = run_poststart(opened, spec);
  if (!hooked.ok()) {
    auto destroyed = destroy_container(context, opened);
    if (!destroyed.ok()) warn(context, {destroyed.error().to_string()});
    return hooked.error();
  }
  return notify;
}

namespace {

// A failing poststop hook is reported and changes nothing: the container is gone. crun's callers
// look for its words.
std::string poststop_warning(const Context& context, const Error& error) {
  std::string text = error.to_string();
  constexpr std::string_view kStatus = "exit status ";
  const auto place = text.find(kStatus);
  if (!context.acts_as_crun() || place == std::string::npos) return text;
  const auto number = text.substr(place + kStatus.size());
  return "poststop hook failed with exit code " + number.substr(0, number.find(',')) + ": " + text;
}

}  // namespace

Result<void> destroy_container(const Context& context, Opened& opened, const oci::Spec* spec) {
  const trace::Span span("delete");
  // The whole cgroup first: without a pid namespace of its own, init's end does not end the rest.
  // Init may have been moved out of a cgroup that therefore looks uninhabited; it is needed then.
  const bool lives = init_lives(opened.record);
  if (opened.group.exists() && (lives || !opened.group.remove_uninhabited())) {
    if (auto killed = opened.group.kill_all(SIGKILL); !killed.ok()) {
      warn(context, {killed.error().to_string()});
    }
    if (auto thawed = opened.group.thaw(); !thawed.ok()) {
      // A cgroup that is gone can't be frozen; one that stays frozen shows in kill_init's timeout.
    }
  }
  if (lives) TRY(kill_init(opened.record, opened.group));
  TRY(opened.group.destroy());
  if (!opened.record.resctrl_directory.empty()) ::rmdir(opened.record.resctrl_directory.c_str());
  const auto poststop = spec != nullptr ? spec->hooks.poststop : recorded_poststop(opened);
  const std::string state =
      poststop.empty() ? std::string()
                       : oci::hook_state_json(state_for_hooks(opened, oci::Status::kStopped));
  const auto output = poststop.empty() ? Result<isolate::HookOutput>(isolate::HookOutput())
                                       : isolate::open_hook_output(opened.record.annotations);
  if (!output.ok()) warn(context, {output.error().to_string()});
  const isolate::HookSurroundings surroundings{nullptr, output.ok() ? &*output : nullptr};
  TRY(opened.container.remove());
  for (std::size_t i = 0; i < poststop.size(); ++i) {
    if (auto ran = isolate::run_hooks("poststop", {poststop[i]}, state, surroundings); !ran.ok()) {
      warn(context, {poststop_warning(context, ran.error())});
    }
  }
  return {};
}

}  // namespace langsbx::runtime
