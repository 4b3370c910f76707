// Holding by pidfd, and asking again.
#include "runtime/cgroup/signal_members.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <span>

#include "runtime/kernel/process.h"

namespace langsbx::cgroup {
namespace {

constexpr std::size_t kHeldAtOnce = 64;  // descriptors

struct Held {
  pid_t pid;
  UniqueFd pidfd;  // none: of a thread
};

Result<std::vector<Held>> hold(std::span<const pid_t> pids) {
  std::vector<Held> held;
  for (const pid_t pid : pids) {
    auto pidfd = open_pidfd(pid);
    if (pidfd.ok()) {
      held.push_back({pid, pidfd.release_value()});
      continue;
    }
    const int number = pidfd.error().errno_value;
    if (number == ESRCH) continue;
    // A threaded cgroup lists threads, and those have no pidfd.
    if (number != EINVAL && number != ENOENT) return pidfd.release_error();
    held.push_back({pid, UniqueFd()});
  }
  return held;
}

Result<void> signal_held(const Held& held, int signal) {
  auto sent = held.pidfd.valid()              ? signal_pidfd(held.pidfd.get(), signal)
              : ::kill(held.pid, signal) == 0 ? Result<void>()
                                              : Result<void>(system_error("kill"));
  if (sent.ok() || sent.error().errno_value == ESRCH) return {};
  return sent.release_error().with_context("process " + std::to_string(held.pid));
}

}  // namespace

Result<std::size_t> signal_members(const Members& list, int signal) {
  const auto listed = TRY(list());
  for (std::size_t from = 0; from < listed.size(); from += kHeldAtOnce) {
    const auto count = std::min(kHeldAtOnce, listed.size() - from);
    const auto all = TRY(hold(std::span(listed).subspan(from, count)));
    const auto now = TRY(list());
    for (const auto& held : all) {
      if (std::find(now.begin(), now.end(), held.pid) == now.end()) continue;
      // Who has ended since gets nothing, whoever has its number.
      TRY(signal_held(held, signal));
    }
  }
  return listed.size();
}

}  // namespace langsbx::cgroup
