// Reaper and program of the light tier.
#include "runtime/execute/light_init.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/confine/no_new_privs.h"
#include "runtime/execute/process_tree.h"
#include "runtime/kernel/close_range.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/session.h"
#include "runtime/kernel/signals.h"
#include "runtime/launch/child.h"
#include "runtime/launch/reaper.h"

namespace langsbx::execute {
namespace {

using handshake::Failed;
using handshake::Proceed;
using handshake::Ready;
using handshake::Start;

// The kernel signals all at once, so that nobody can fork ahead of it; what it may not reach is
// none of ours.
void end_tree(bool may_kill_all) {
  if (may_kill_all) ::kill(-1, SIGKILL);
  kill_descendants();
}

[[noreturn]] void end_with(const LightContext& context, runtime::ProgramEnd end) {
  end_tree(context.may_kill_all);
  ::getrusage(RUSAGE_CHILDREN, &end.usage);
  const auto written = ::write(context.report, &end, sizeof end);
  ::_exit(written == static_cast<ssize_t>(sizeof end) ? 0 : 1);
}

void reap(const LightContext& context, pid_t program) {
  for (;;) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, WNOHANG);
    if (pid < 0 && errno == EINTR) continue;
    // The program is ours and not waited for: without it nothing would ever wake us again.
    if (pid < 0) end_with(context, {0, errno, {}});
    if (pid == 0) return;
    if (pid == program) end_with(context, {status, 0, {}});
  }
}

[[noreturn]] void fail(const LightContext& context, Error error) {
  static_cast<void>(context.channel->send(Failed{std::move(error)}));
  ::_exit(1);
}

[[noreturn]] void keep_tree(const LightContext& context, const std::function<int()>& body) {
  // The supervisor's end of the pipe is closed when it died before our death signal was set.
  if (::prctl(PR_SET_PDEATHSIG, kEndOfTree) != 0)
    fail(context, system_error("prctl PR_SET_PDEATHSIG"));
  pollfd reader{context.report, POLLOUT, 0};
  if (::poll(&reader, 1, 0) > 0 && (reader.revents & POLLERR) != 0) ::_exit(1);
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, nullptr);
  const pid_t parent = ::getppid();
  auto child = fork_child({}, body);
  if (!child.ok()) fail(context, child.release_error());
  const pid_t program = child->release();
  // Everything but the report: the program's streams must end with the program.
  if (auto closed = close_all_but({context.report}); !closed.ok()) {
    const int error = closed.error().errno_value;
    static_cast<void>(context.channel->send(Failed{closed.release_error()}));
    end_with(context, {0, error, {}});
  }
  for (;;) {
    reap(context, program);
    siginfo_t info{};
    if (::sigwaitinfo(&all, &info) < 0) continue;
    if (info.si_signo == SIGCHLD) continue;
    if (info.si_signo == kEndOfTree) {
      end_tree(context.may_kill_all);
      ::_exit(1);
    }
    // Only what the supervisor sends is passed on.
    if (info.si_pid != parent) continue;
    ::kill(program, info.si_signo == kStandsForTerm ? SIGTERM : info.si_signo);
  }
}

Result<void> leave_group_of_reaper() {
  TRY(unblock_all_signals());
  TRY(start_session());  // what it sends to its group does not reach the reaper
  // The caller's terminal may belong to another session: then it stays there.
  if (::isatty(0) == 1) ::ioctl(0, TIOCSCTTY, 0);
  return {};
}

Error start_program(runtime::Unprivileged identity) {
  auto left = leave_group_of_reaper();
  if (!left.ok()) return left.release_error();
  return runtime::run_program(std::move(identity), guard::JudgedByParent{}, -1, -1);
}

Result<runtime::Unprivileged> set_up(const LightContext& context) {
  TRY(runtime::begin_child());
  TRY(start_session());
  TRY(adopt_orphans());
  if (context.watched) TRY(allow_any_tracer(true));
  // The supervisor sets limits meanwhile.
  TRY(context.channel->expect<Proceed>());
  if (context.watched) TRY(allow_any_tracer(false));
  auto identity = TRY(runtime::drop_privileges(isolate::Rooted::on_host(*context.program)));
  TRY(confine::set_no_new_privs());
  if (!context.tree->empty()) {
    const auto root = TRY(open_file("/", O_PATH | O_DIRECTORY));
    TRY_CONTEXT(confine::apply_landlock(*context.tree, root.get()), "landlock");
  }
  return identity;
}

}  // namespace

int light_main(const LightContext& context) {
  runtime::close_all(context.parents_descriptors);
  auto identity = set_up(context);
  if (!identity.ok()) {
    static_cast<void>(context.channel->send(Failed{identity.release_error()}));
    return 1;
  }
  if (!context.channel->send(Ready{}).ok()) return 1;
  auto told = context.channel->expect<Start>();
  if (!told.ok()) {
    // An end without a word would look as if the program ran.
    static_cast<void>(context.channel->send(Failed{told.release_error()}));
    return 1;
  }
  keep_tree(context, [&] {
    static_cast<void>(context.channel->send(Failed{start_program(identity.release_value())}));
    return 1;
  });
}

}  // namespace langsbx::execute
