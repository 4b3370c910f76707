// The shared steps.
#include "runtime/launch/child.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/base/trace.h"
#include "runtime/cgroup/entrance.h"
#include "runtime/isolate/console.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/session.h"
#include "runtime/kernel/signals.h"

namespace langsbx::runtime {

using handshake::Channel;
using handshake::Outside;
using handshake::Proceed;

Result<void> begin_child() {
  ::umask(0);
  return unblock_all_signals();
}

void close_all(const std::vector<int>& descriptors) {
  std::vector<UniqueFd> all;
  all.reserve(descriptors.size());
  for (const int fd : descriptors) {
    if (fd >= 0) all.emplace_back(fd);
  }
  close_together(all);
}

Result<Proceed> enter_and_proceed(Channel& channel) {
  std::vector<UniqueFd> entrance;
  const auto proceed = TRY(channel.expect<Proceed>(&entrance));
  if (entrance.empty() || cgroup::enter(std::move(entrance))) return proceed;
  TRY(channel.send(Outside{}));
  TRY(channel.expect<Proceed>());
  return proceed;
}

Result<void> join_session_keyring(const std::string& name) {
  if (name.empty()) return {};
  auto joined = join_new_keyring(name);
  if (joined.ok()) return joined;
  // Not built in, or refused by an outer filter; quota of the user (EDQUOT) is the caller's.
  const int reason = joined.error().errno_value;
  if (reason == ENOSYS || reason == EPERM || reason == EACCES) return {};
  return joined;
}

Result<Unprivileged> become_user(isolate::Rooted rooted, const UniqueFd& console,
                                 const guard::GuardPlan& guard, int procfs) {
  const auto& program = rooted.program();
  TRY(start_session());
  if (console.valid()) {
    TRY(isolate::take_console(console.get()));
  } else {
    TRY(isolate::give_streams_to(program.identity.uid, program.streams_group));
  }
  if (const auto* const judge = std::get_if<guard::Judge>(&guard); judge != nullptr) {
    const trace::Span phase("guard: pin");
    TRY((*judge)->pin(program, procfs));
    // In a mount namespace of its own, which a descriptor of before does not show.
    rooted.take_root().reset();
  }
  const trace::Span phase("confine: identity");
  return drop_privileges(std::move(rooted), procfs);
}

Error run_program(Unprivileged identity, const guard::GuardPlan& guard, int procfs,
                  int seccomp_socket) {
  const auto run = [&]() -> Result<void> {
    trace::Span phase("guard");
    auto cleared = TRY(clear_program(std::move(identity), guard));
    phase.next("confine");
    const auto confined = TRY(confine_program(std::move(cleared), procfs, seccomp_socket));
    phase.next("exec");
    return execute(confined);
  };
  // execute() returns only with an error, so there is always one.
  return run().release_error();
}

}  // namespace langsbx::runtime
