// events: what a container uses, once or every few seconds, and its out-of-memory kills.
#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "cmd/langsbx/duration.h"
#include "cmd/langsbx/verbs.h"
#include "oci/reader.h"
#include "runtime/host/interface_stats.h"
#include "runtime/host/resctrl.h"
#include "runtime/kernel/file.h"
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

// One container, as `events` looks at it.
struct Watched {
  std::string id;
  state::Record record;
  oci::Linux linux_;
  cgroup::Cgroup cgroup;
};

Result<void> print_stats(const Watched& watched) {
  auto json = cgroup::to_json(TRY(watched.cgroup.stats()));
  const auto& options = watched.linux_;
  if (options.intel_rdt || !watched.record.resctrl_directory.empty()) {
    json["intel_rdt"] =
        runtime::intel_rdt_stats(options.intel_rdt.value_or(oci::IntelRdt()), watched.id);
  }
  if (!options.net_devices.empty()) {
    const std::string table = "/proc/" + std::to_string(watched.record.init_pid) + "/net/dev";
    auto text = read_file(table).value_or("");
    // Asked last: what was read is not of another process that has the number now.
    const auto& record = watched.record;
    if (!state::is_process_alive(record.init_pid, record.init_start_time)) text.clear();
    json["network_interfaces"] = runtime::interface_stats(options, text);
  }
  return print_event(watched.id, "stats", std::move(json));
}

// Until the container's first process ends.
Result<void> follow(const Watched& watched, std::chrono::milliseconds interval) {
  const auto& record = watched.record;
  auto watch = TRY(cgroup::OomWatch::start(watched.cgroup.record()));
  constexpr std::chrono::milliseconds kLivenessCheck{1000};
  Clock::time_point next = Clock::now();
  while (state::is_process_alive(record.init_pid, record.init_start_time)) {
    if (Clock::now() >= next) {
      TRY(print_stats(watched));
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
    for (std::uint64_t i = 0; i < *kills; ++i) TRY(print_event(watched.id, "oom", nullptr));
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
  auto spec = TRY(oci::read_spec(TRY(container.read_config()), state::kConfigFile));
  const Watched watched{id, record, std::move(spec.linux_).value_or(oci::Linux()),
                        TRY(runtime::cgroup_of(record))};
  if (once)
    TRY(print_stats(watched));
  else
    TRY(follow(watched, interval));
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
