// Process 1: waits, forwards, reports.
#include "runtime/launch/reaper.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "runtime/kernel/close_range.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/session.h"

namespace langsbx::runtime {
namespace {

[[noreturn]] void report_end(int report, ProgramEnd end) {
  ::getrusage(RUSAGE_CHILDREN, &end.usage);
  const auto written = ::write(report, &end, sizeof end);
  ::_exit(written == static_cast<ssize_t>(sizeof end) ? 0 : 1);
}

// Returns when there is nothing to reap at the moment.
void reap(int report, pid_t program) {
  for (;;) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, WNOHANG);
    if (pid < 0 && errno == EINTR) continue;
    // The program is ours and not waited for: without it nothing would ever wake us again.
    if (pid < 0) report_end(report, {0, errno, {}});
    if (pid == 0) return;
    if (pid == program) report_end(report, {status, 0, {}});
  }
}

}  // namespace

void reap_for(int report, const std::function<int()>& body,
              const std::function<void(Error)>& failed) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
    failed(system_error("prctl PR_SET_PDEATHSIG"));
    ::_exit(1);
  }
  // The supervisor may have died before that call: then nobody holds the pipe's other end.
  pollfd reader{report, POLLOUT, 0};
  if (::poll(&reader, 1, 0) > 0 && (reader.revents & POLLERR) != 0) ::_exit(1);
  auto child = fork_child({}, [&] {
    if (::isatty(0) == 1) {
      if (auto own = start_session(); !own.ok()) {
        failed(own.release_error());
        return 1;
      }
      // The caller's terminal may belong to another session: then it stays there.
      ::ioctl(0, TIOCSCTTY, 0);
    }
    return body();
  });
  if (!child.ok()) {
    failed(child.release_error());
    ::_exit(1);
  }
  const pid_t program = child->release();
  // Everything but the report: the program's streams must end with the program.
  if (auto closed = close_all_but({report}); !closed.ok()) {
    ::kill(program, SIGKILL);
    const int error = closed.error().errno_value;
    failed(closed.release_error());
    report_end(report, {0, error, {}});
  }
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, nullptr);
  for (;;) {
    reap(report, program);
    siginfo_t info{};
    if (::sigwaitinfo(&all, &info) < 0) continue;
    // Only what comes from outside the namespace is the supervisor's.
    if (info.si_signo != SIGCHLD && info.si_pid == 0) ::kill(program, info.si_signo);
  }
}

}  // namespace langsbx::runtime
