// Waits for init's end or for the limit, whichever comes first.
#include "runtime/verbs/time_limits.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <nlohmann/json.hpp>

#include "oci/state.h"
#include "runtime/guard/gate.h"
#include "runtime/guard/parent_verdicts.h"
#include "runtime/kernel/close_range.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/session.h"
#include "runtime/state/process_status.h"

namespace langsbx::runtime {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kShortestLook{100};
constexpr milliseconds kLongestLook{60'000};
constexpr std::string_view kWatches = "watches";
constexpr std::size_t kMostOfAWord = 1024;

struct Watched {
  guard::GuardRecord guard;
  const Opened* opened = nullptr;
  std::string verdicts;  // guard.jsonl
  int pidfd = -1;
  long processors = 1;
};

// The caller's terminal, its streams and our lock on the container's directory stay with the
// caller.
Result<void> let_go_of_all_but(int pidfd, int told) {
  // Whoever started us may have been killed by the time that we tell them.
  if (::signal(SIGPIPE, SIG_IGN) == SIG_ERR) return system_error("signal SIGPIPE");
  TRY(start_session());
  const auto null = open_file("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd) {
    // Closed at least: whoever reads the caller's output waits for its end.
    if (!null.ok() || ::dup2(null->get(), fd) < 0) ::close(fd);
  }
  return close_all_but({pidfd, told}, 3);
}

enum class Look : std::uint8_t { kEnded, kLives, kFailed };

// Whether the container's init ends in that time.
Look ends_within(int pidfd, milliseconds time) {
  const auto until = steady_clock::now() + time;
  for (;;) {
    const auto rest = std::chrono::ceil<milliseconds>(until - steady_clock::now());
    pollfd ended{pidfd, POLLIN, 0};
    const int count = ::poll(&ended, 1, static_cast<int>(std::max(rest, milliseconds(0)).count()));
    if (count > 0) return Look::kEnded;
    if (count == 0) return Look::kLives;
    if (errno != EINTR) return Look::kFailed;
  }
}

milliseconds used_processor_time(const cgroup::Cgroup& group) {
  return std::chrono::duration_cast<milliseconds>(std::chrono::nanoseconds(group.processor_time()));
}

void record_end(const Watched& watched, const std::string& problem, const std::string& not_logged) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  nlohmann::ordered_json line = {{"time", oci::rfc3339_nano(now)},
                                 {"mode", "enforce"},
                                 {"verdict", "ended"},
                                 {"problem", problem}};
  if (!not_logged.empty()) line["not_logged"] = not_logged;
  const auto file = open_file(watched.verdicts, O_WRONLY | O_APPEND);
  if (file.ok()) static_cast<void>(write_fd(file->get(), line.dump() + "\n", watched.verdicts));
}

void end_container(const Watched& watched, const std::string& problem) {
  record_end(watched, problem, "");
  static_cast<void>(signal_pidfd(watched.pidfd, SIGKILL));
  // Without a pid namespace of its own, init's end does not end the rest.
  auto group = cgroup_of(watched.opened->record);
  if (group.ok() && group->exists()) static_cast<void>(group->kill_all(SIGKILL));
  // Behind the end: a journal may let us wait.
  const bool user = watched.opened->record.rootless;
  const auto logged = guard::log_end(watched.guard, user, problem);
  if (!logged.ok()) record_end(watched, problem, logged.error().to_string());
}

// As long as it may be until a limit can be reached: processor time passes at most as many times
// faster as there are processors.
int watch(const Watched& watched) {
  const auto begin = steady_clock::now();
  milliseconds used{0};  // so far hardly any
  for (;;) {
    milliseconds wait = kLongestLook;
    if (watched.guard.wall_time) {
      const auto passed = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin);
      const auto rest = milliseconds(*watched.guard.wall_time) - passed;
      if (rest.count() <= 0) {
        end_container(watched, "its wall time is used up");
        return 0;
      }
      wait = std::min(wait, rest);
    }
    if (watched.guard.cpu_time) {
      const auto rest = milliseconds(*watched.guard.cpu_time) - used;
      if (rest.count() <= 0) {
        end_container(watched, "its processor time is used up");
        return 0;
      }
      wait = std::min(wait, std::max(rest / watched.processors, kShortestLook));
    }
    const Look look = ends_within(watched.pidfd, wait);
    if (look == Look::kFailed) {
      end_container(watched, "its time limits can't be watched: poll: " + errno_text(errno));
      return 1;
    }
    if (look == Look::kEnded) return 0;
    if (watched.guard.cpu_time) used = used_processor_time(watched.opened->group);
  }
}

// Tells first that it watches, or why it can't.
int tell_and_watch(const Watched& watched, UniqueFd tells) {
  const auto alone = let_go_of_all_but(watched.pidfd, tells.get());
  if (!alone.ok()) {
    const std::string why = alone.error().to_string();
    end_container(watched, "its time limits can't be watched: " + why);
    static_cast<void>(write_fd(tells.get(), why, "pipe"));
    return 1;
  }
  static_cast<void>(write_fd(tells.get(), kWatches, "pipe"));
  tells.reset();
  return watch(watched);
}

Result<void> start_watcher(const Watched& watched) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_error("pipe2");
  const UniqueFd told(ends[0]);
  UniqueFd tells(ends[1]);
  auto watcher = TRY(fork_child({}, [&] { return tell_and_watch(watched, std::move(tells)); }));
  tells.reset();
  std::string word = TRY(read_fd(told.get(), kMostOfAWord, "pipe"));
  if (word == kWatches) {
    static_cast<void>(watcher.release());
    return {};
  }
  return make_error(ErrorKind::kSystem, word.empty() ? "its watcher has ended" : std::move(word));
}

}  // namespace

Result<void> watch_time(const Context& context, const Opened& opened) {
  Watched watched;
  watched.guard = TRY(guard::guard_record_from_json(opened.record.guard));
  // Each process has the limit on processor time too; only a cgroup knows their sum.
  if (!opened.group.exists()) watched.guard.cpu_time.reset();
  if (!watched.guard.wall_time && !watched.guard.cpu_time) return {};
  watched.opened = &opened;
  watched.verdicts = context.root + "/" + opened.record.id + "/" + guard::kVerdictFile;
  watched.processors = std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN));
  auto pidfd = open_pidfd(opened.record.init_pid);
  if (!pidfd.ok()) return {};  // it has ended already
  if (!state::is_process_alive(opened.record.init_pid, opened.record.init_start_time)) return {};
  watched.pidfd = pidfd->get();
  TRY_CONTEXT(start_watcher(watched), "guard: time limits");
  return {};
}

}  // namespace langsbx::runtime
