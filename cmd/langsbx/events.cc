// events: what a container uses, once or every few seconds, and its out-of-memory kills.
#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "cmd/langsbx/duration.h"
#include "cmd/langsbx/verbs.h"
#include "runtime/state/process_status.h"

namespace langsbx::cmd {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::ordered_json;

Result<void> print_event(const std::string& id, const char* type, ordered_json data) {
  ordered_json event;
  event["type"] = type;
  event["id"] = id;
  if (!data.is_null()) event["data"] = std::move(data);
  return print(event.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

Result<void> print_stats(const std::string& id, const cgroup::Cgroup& cgroup) {
  return print_event(id, "stats", cgroup::to_json(TRY(cgroup.stats())));
}

// Until the container's first process ends.
Result<void> follow(const std::string& id, const state::Record& record,
                    const cgroup::Cgroup& cgroup, std::chrono::milliseconds interval) {
  auto watch = TRY(cgroup::OomWatch::start(cgroup.record()));
  constexpr std::chrono::milliseconds kLivenessCheck{1000};
  Clock::time_point next = Clock::now();
  while (state::is_process_alive(record.init_pid, record.init_start_time)) {
    if (Clock::now() >= next) {
      TRY(print_stats(id, cgroup));
      next += interval;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now());
    const auto wait = std::clamp(left, std::chrono::milliseconds{0}, kLivenessCheck);
    std::array<pollfd, 1> polled{{{watch.fd(), POLLIN, 0}}};
    const int ready = ::poll(polled.data(), polled.size(), static_cast<int>(wait.count()));
    if (ready < 0 && errno != EINTR) return system_error("poll");
    if (ready <= 0) continue;
    const auto kills = TRY(watch.take());
    if (!kills) return {};
    for (std::uint64_t i = 0; i < *kills; ++i) TRY(print_event(id, "oom", nullptr));
  }
  return {};
}

Result<int> run(const Invocation& invocation) {
  std::string interval_text = "5s";
  bool once = false;
  OptionTable table;
  table.text("interval", &interval_text, "DURATION", "time between two reports; default: 5s");
  table.flag("stats", &once, "display the container's stats, then exit");
  const auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  const auto interval = TRY(parse_duration(interval_text, "interval"));
  const std::string& id = positionals->at(0);
  const auto container = TRY(state::Store(invocation.global.root).open(id));
  const auto record = TRY(container.read_record());
  if (container.status(record) == oci::Status::kStopped)
    return make_error(ErrorKind::kWrongState, "container with id " + id + " is not running");
  const auto cgroup = TRY(runtime::cgroup_of(record));
  if (once)
    TRY(print_stats(id, cgroup));
  else
    TRY(follow(id, record, cgroup, interval));
  return 0;
}

}  // namespace

extern const Command kEvents{.name = "events",
                             .arguments = "<container-id>",
                             .summary = "display out-of-memory events and usage statistics",
                             .fewest = 1,
                             .most = 1,
                             .run = run};

}  // namespace langsbx::cmd
