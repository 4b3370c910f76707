// The supervisor's loop.
#include "runtime/execute/watch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "runtime/execute/light_init.h"
#include "runtime/execute/limits.h"
#include "runtime/execute/streams.h"
#include "runtime/kernel/outlet.h"

namespace langsbx::execute {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kTick{50};
// Where we and not a cgroup hold the limits.
constexpr milliseconds kShortTick{10};
// From a forwarded signal to SIGKILL, and from the end of a run that was cut to giving up on a
// reader.
constexpr milliseconds kGrace{1000};
// A program that goes on forking after so many refusals is a bomb, not one that tries.
constexpr std::uint64_t kForksRefused = 64;
// Looking through a directory costs more than reading a few numbers.
constexpr std::uint64_t kTicksPerDisk = 3;
constexpr std::size_t kChunk = 64U << 10U;

class Watch {
 public:
  Watch(const Watched& watched, Streams streams)
      : watched_(watched), streams_(std::move(streams)), begin_(Clock::now()) {}

  Result<Outcome> run() {
    deadline_ = wall_end_ = begin_ + milliseconds(watched_.limits->wall_time_ms);
    next_tick_ = begin_ + tick();
    ours_ = own_peak();
    while (!ended_ || is_open(streams_.out, out_) || is_open(streams_.err, err_)) TRY(step());
    outcome_.wall_ms = static_cast<std::uint64_t>(elapsed().count());
    if (watched_.proxy != nullptr) take_requests();
    take_report();
    take_usage();
    return std::move(outcome_);
  }

 private:
  [[nodiscard]] milliseconds tick() const {
    return watched_.gauge->counts_in_kernel() ? kTick : kShortTick;
  }

  // The peak of a new program begins with the pages of whoever made it: ours.
  static std::uint64_t own_peak() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024U;
  }

  [[nodiscard]] milliseconds elapsed() const {
    return std::chrono::duration_cast<milliseconds>(Clock::now() - begin_);
  }

  // What the program wrote is still to come, or to be taken.
  static bool is_open(const UniqueFd& from, const Outlet& into) {
    return from.valid() || into.pending() > 0;
  }

  // A reader that lags behind makes the program wait, not us: no more is read before all is taken.
  static pollfd readable(const UniqueFd& from, const Outlet& into) {
    return {into.pending() > 0 ? -1 : from.get(), POLLIN, 0};
  }

  Result<void> step() {
    pollfd fds[] = {{ended_ ? -1 : watched_.init->pidfd(), POLLIN, 0},
                    {watched_.signals, POLLIN, 0},
                    readable(streams_.out, out_),
                    readable(streams_.err, err_),
                    {input_.empty() && streams_.in.valid() ? streams_.source : -1, POLLIN, 0},
                    {input_.empty() ? -1 : streams_.in.get(), POLLOUT, 0},
                    {watched_.proxy != nullptr ? watched_.proxy->requests() : -1, POLLIN, 0},
                    out_.polled(),
                    err_.polled()};
    if (::poll(fds, std::size(fds), timeout()) < 0 && errno != EINTR) return system_error("poll");
    if (fds[1].revents != 0) take_signals();
    if (fds[2].revents != 0) copy(streams_.out, out_, outcome_.out);
    if (fds[3].revents != 0) copy(streams_.err, err_, outcome_.err);
    if (fds[4].revents != 0) read_input();
    if (fds[5].revents != 0) write_input();
    if (fds[6].revents != 0) take_requests();
    if (fds[7].revents != 0) flush(out_);
    if (fds[8].revents != 0) flush(err_);
    if (watched_.events != nullptr) watched_.events->flush();
    if (!ended_ && fds[0].revents != 0) {
      ended_ = true;
      ended_at_ = Clock::now();
    }
    if (!ended_) {
      check_limits();
    } else if (gives_up() && Clock::now() >= last_moment()) {
      abandon();
    }
    return {};
  }

  // Who ended by itself may have a slow reader. After a run that was cut we do not outlive its wall
  // time for one, nor a signal that told us to end.
  [[nodiscard]] bool gives_up() const { return outcome_.cut != KillReason::kNone; }
  [[nodiscard]] Clock::time_point last_moment() const {
    return (told_to_end_ ? ended_at_ : std::max(ended_at_, wall_end_)) + kGrace;
  }

  void abandon() {
    outcome_.truncated = true;
    for (auto* const stream : {&streams_.out, &streams_.err}) stream->reset();
    for (auto* const outlet : {&out_, &err_}) outlet->clear();
  }

  [[nodiscard]] int timeout() const {
    if (ended_ && !gives_up()) return -1;
    const auto until = (ended_ ? last_moment() : std::min(deadline_, next_tick_)) - Clock::now();
    return static_cast<int>(
        std::max<std::int64_t>(0, std::chrono::ceil<milliseconds>(until).count()));
  }

  void cut(KillReason reason) {
    if (outcome_.cut == KillReason::kNone) outcome_.cut = reason;
    if (ended_) return;
    if (watched_.end) {
      watched_.end();
    } else {
      static_cast<void>(signal_pidfd(watched_.init->pidfd(), watched_.end_signal));
    }
  }

  void take_signals() {
    signalfd_siginfo info{};
    while (::read(watched_.signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      if (info.ssi_signo == SIGWINCH) {
        if (streams_.terminal && streams_.out.valid()) copy_window_size(streams_.out.get());
        continue;
      }
      told_to_end_ = true;
      if (ended_) {
        if (outcome_.cut == KillReason::kNone) outcome_.cut = KillReason::kManual;
        abandon();
        continue;
      }
      if (outcome_.cut == KillReason::kManual) {
        cut(KillReason::kManual);
        continue;
      }
      if (outcome_.cut != KillReason::kNone) continue;
      outcome_.cut = KillReason::kManual;
      deadline_ = std::min(deadline_, Clock::now() + kGrace);
      static_cast<void>(signal_pidfd(watched_.init->pidfd(), forwarded(info.ssi_signo)));
    }
  }

  // A reaper that ends at SIGTERM gets what stands for it.
  [[nodiscard]] int forwarded(std::uint32_t signal) const {
    const int number = static_cast<int>(signal);
    return number == watched_.end_signal ? kStandsForTerm : number;
  }

  // Nobody reads any more: nothing of the program is of use.
  void flush(Outlet& outlet) {
    if (outlet.flush().ok()) return;
    outlet.clear();
    cut(KillReason::kManual);
  }

  void copy(UniqueFd& from, Outlet& into, std::string& kept) {
    char buffer[kChunk];
    const ssize_t count = ::read(from.get(), buffer, sizeof buffer);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) {
      from.reset();
      return;
    }
    const auto size = static_cast<std::uint64_t>(count);
    const auto room = watched_.limits->output - std::min(watched_.limits->output, shown_);
    const auto shown = std::min(size, room);
    outcome_.usage.output += size;
    shown_ += shown;
    const std::string_view text(buffer, static_cast<std::size_t>(shown));
    if (streams_.capture) {
      kept.append(text);
    } else {
      into.add(text);
      flush(into);
    }
    if (shown == size) return;
    outcome_.truncated = true;
    cut(KillReason::kOutput);
  }

  void read_input() {
    char buffer[kChunk];
    const ssize_t count = ::read(streams_.source, buffer, sizeof buffer);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0 && streams_.terminal) {
      streams_.source = -1;
      input_ = "\x04";  // what ends the input of a terminal
    } else if (count <= 0) {
      streams_.in.reset();
    } else {
      input_.assign(buffer, static_cast<std::size_t>(count));
    }
  }

  void write_input() {
    const ssize_t count = ::write(streams_.in.get(), input_.data(), input_.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count < 0) {
      streams_.in.reset();
      input_.clear();
    } else {
      input_.erase(0, static_cast<std::size_t>(count));
    }
  }

  void take_requests() {
    constexpr std::size_t kMostRefused = 32;
    for (const auto& asked : watched_.proxy->take_requests()) {
      if (watched_.events != nullptr) watched_.events->network(asked);
      if (!asked.allowed && outcome_.hosts_refused.size() < kMostRefused) {
        outcome_.hosts_refused.emplace_back(asked.reason);
      }
    }
  }

  void check_limits() {
    const auto now = Clock::now();
    if (now >= deadline_) {
      cut(KillReason::kTimeout);
      deadline_ = now + std::chrono::hours(1);
      return;
    }
    if (now < next_tick_) return;
    next_tick_ = now + tick();
    const Limits& limits = *watched_.limits;
    const auto& use = watched_.gauge->read();
    if (use.cpu_ns / 1'000'000 > limits.cpu_time_ms) cut(KillReason::kCpu);
    if (use.forks_refused > kForksRefused) cut(KillReason::kProcesses);
    if (!watched_.gauge->counts_in_kernel()) {
      if (use.memory > limits.memory) cut(KillReason::kMemory);
      if (use.tasks > limits.pids) cut(KillReason::kProcesses);
    }
    check_disk();
    if (watched_.events != nullptr) warn(use);
  }

  void check_disk() {
    if (!watched_.disk || ++ticks_ % kTicksPerDisk != 0) return;
    const auto disk = watched_.disk();
    outcome_.usage.disk = std::max(outcome_.usage.disk, disk.bytes);
    if (!disk.full) return;
    outcome_.disk_full = true;
    cut(KillReason::kDisk);
  }

  // At 80 % of a limit, once for each.
  void warn(const Gauged& use) {
    const auto& limits = *watched_.limits;
    const auto wall = static_cast<std::uint64_t>(elapsed().count());
    warn_of("timeout", wall, limits.wall_time_ms);
    warn_of("cpu-time", use.cpu_ns / 1'000'000, limits.cpu_time_ms);
    warn_of("memory", use.memory, limits.memory);
    warn_of("output", shown_, limits.output);
    warn_of("disk", outcome_.usage.disk, limits.disk);
    // One of one is not near a limit.
    if (limits.pids > 1) warn_of("pids", use.tasks, limits.pids);
  }

  void warn_of(std::string_view option, std::uint64_t used, std::uint64_t limit) {
    const auto index = limit_index(option);
    if (warned_[index] || used * 5 < limit * 4) return;
    warned_[index] = true;
    watched_.events->limit_warning(limit_table()[index].field, used, limit);
  }

  void take_report() {
    runtime::ProgramEnd end;
    if (::read(watched_.report, &end, sizeof end) != static_cast<ssize_t>(sizeof end)) return;
    if (end.error != 0) {
      outcome_.error = end.error;
      return;
    }
    const auto nanoseconds = [](const timeval& time) {
      return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
             static_cast<std::uint64_t>(time.tv_usec) * 1'000U;
    };
    auto& usage = outcome_.usage;
    usage.user_ns = nanoseconds(end.usage.ru_utime);
    usage.system_ns = nanoseconds(end.usage.ru_stime);
    const auto peak = static_cast<std::uint64_t>(end.usage.ru_maxrss) * 1024U;
    if (peak > ours_) usage.memory_peak = peak;
    usage.io_read = static_cast<std::uint64_t>(end.usage.ru_inblock) * 512U;
    usage.io_write = static_cast<std::uint64_t>(end.usage.ru_oublock) * 512U;
    outcome_.end = end;
  }

  // The gauge knows the whole tree, also what nobody waited for.
  void take_usage() {
    auto& usage = outcome_.usage;
    const auto& last = watched_.gauge->read_last();
    outcome_.oom = watched_.gauge->oom_killed();
    outcome_.forks_refused = last.forks_refused;
    usage.user_ns = std::max(usage.user_ns, last.user_ns);
    usage.system_ns = std::max(usage.system_ns, last.system_ns);
    usage.cpu_time_ns = std::max(last.cpu_ns, usage.user_ns + usage.system_ns);
    usage.pids_peak = std::max<std::uint64_t>(last.tasks_peak, 1);
    if (watched_.gauge->counts_in_kernel()) {
      usage.memory_peak = last.memory_peak;
    } else {
      usage.memory_peak = std::max(usage.memory_peak, last.memory_peak);
      outcome_.memory_passed = usage.memory_peak > watched_.limits->memory;
    }
  }

  const Watched& watched_;
  Streams streams_;
  Outlet out_{1}, err_{2};
  bool ended_ = false;        // init is gone
  bool told_to_end_ = false;  // by a signal
  Clock::time_point begin_, deadline_, next_tick_, wall_end_, ended_at_;
  Outcome outcome_;
  std::string input_;
  std::uint64_t shown_ = 0;
  std::uint64_t ours_ = 0;
  std::uint64_t ticks_ = 0;
  std::array<bool, kLimitCount> warned_{};
};

}  // namespace

Result<void> end_is_known(const Outcome& outcome) {
  if (outcome.error == 0 || outcome.cut != KillReason::kNone) return {};
  return system_error("process 1 of the sandbox could not look after the program", outcome.error);
}

namespace {

sigset_t caught() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH}) sigaddset(&set, signal);
  return set;
}

}  // namespace

void release_signals() {
  const sigset_t set = caught();
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

Result<UniqueFd> catch_signals() {
  sigset_t set = caught();
  UniqueFd fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd.valid()) return system_error("signalfd");
  sigaddset(&set, SIGPIPE);
  if (::sigprocmask(SIG_BLOCK, &set, nullptr) != 0) return system_error("sigprocmask");
  return fd;
}

Result<Outcome> watch(const Watched& watched, Streams streams) {
  const RawTerminal raw(streams.terminal);
  return Watch(watched, std::move(streams)).run();
}

}  // namespace langsbx::execute
