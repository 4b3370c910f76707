// The observing process: attaches, says so, writes events, hands over the list.
#include "runtime/explain/observer.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "runtime/kernel/close_range.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/outlet.h"
#include "runtime/kernel/session.h"

namespace langsbx::explain {
namespace {

constexpr std::size_t kMostResults = 4U << 20U;
constexpr char kAttached = '+';
constexpr char kFailed = '-';

// Whatever we inherited (locks, terminals, the ends of pipes that others wait for) is let go.
Result<void> keep_only(std::array<int, 2> kept) {
  TRY(start_session());
  TRY(close_all_but({kept.begin(), kept.end()}, 3));
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd <= 2; ++fd) {
    if (::dup2(null, fd) < 0) ::close(fd);
  }
  return {};
}

int report_failure(int results, const Error& error) {
  static_cast<void>(write_fd(results, kFailed + error.to_string(), "pipe"));
  return 1;
}

int observe(const Watched& watched, int events, int results) {
  ::prctl(PR_SET_NAME, "langsbx-explain");
  ::signal(SIGPIPE, SIG_IGN);
  if (const auto kept = keep_only({events, results}); !kept.ok()) {
    return report_failure(results, kept.error());
  }
  Events heard;
  heard.attached = [results] {
    static_cast<void>(write_fd(results, std::string_view(&kAttached, 1), "pipe"));
  };
  // Who does not read loses lines; the program that is watched must not wait for them.
  constexpr std::size_t kMostPending = std::size_t{1} << 20U;
  Outlet told(events);
  heard.on_denial = [&](const Denial& denial) {
    if (events < 0 || told.pending() > kMostPending) return;
    told.add(denial_json(denial) + "\n");
    if (!told.flush().ok()) told.clear();
  };
  const auto explained = explain(watched, heard);
  if (!explained.ok()) return report_failure(results, explained.error());
  std::string text;
  for (const Denial& denial : explained->denials) text += denial_json(denial) + "\n";
  // Nobody reads it when the runtime is gone already.
  static_cast<void>(write_fd(results, text, "pipe"));
  return 0;
}

}  // namespace

Result<Observer> Observer::start(const Watched& watched, int events) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_error("pipe2");
  Observer observer;
  observer.results_.reset(ends[0]);
  UniqueFd results(ends[1]);
  observer.process_ = TRY(fork_child({}, [&] { return observe(watched, events, results.get()); }));
  results.reset();
  char first = 0;
  while (::read(observer.results_.get(), &first, 1) < 0 && errno == EINTR) {
  }
  if (first == kAttached) return observer;
  const auto why = read_fd(observer.results_.get(), kMostResults, "pipe");
  return make_error(
      ErrorKind::kSystem,
      "explain: " + (why.ok() && !why->empty() ? *why : "the observer ended at once"));
}

Result<std::vector<Denial>> Observer::finish() {
  std::vector<Denial> denials;
  if (!is_watching()) return denials;
  TRY(signal_pidfd(process_.pidfd(), SIGTERM));
  const std::string text = TRY(read_fd(results_.get(), kMostResults, "pipe"));
  TRY(process_.wait());
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    denials.push_back(TRY(denial_from_json(std::string_view(text).substr(at, end - at))));
    at = end + 1;
  }
  return denials;
}

void Observer::release() {
  static_cast<void>(process_.release());
  results_.reset();
}

}  // namespace langsbx::explain
