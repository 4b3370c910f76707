// Starting a waiting container.
#include "runtime/verbs/poststart.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/base/trace.h"
#include "runtime/guard/make_gate.h"
#include "runtime/isolate/hooks.h"
#include "runtime/launch/notify_socket.h"
#include "runtime/launch/prepare.h"
#include "runtime/launch/start_program.h"
#include "runtime/verbs/remove.h"
#include "runtime/verbs/time_limits.h"

namespace langsbx::runtime {

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
  // Before the program starts: a limit that nobody watches is no limit.
  if (auto watched = watch_time(context, opened); !watched.ok()) {
    static_cast<void>(destroy_container(context, opened));
    return watched.release_error();
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
  if (spec.hooks.poststart.empty()) return notify;
  const auto hooked = run_poststart(opened, spec);
  if (!hooked.ok()) {
    auto destroyed = destroy_container(context, opened);
    if (!destroyed.ok()) warn(context, {destroyed.error().to_string()});
    return hooked.error();
  }
  return notify;
}

}  // namespace langsbx::runtime
