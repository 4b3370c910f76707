// The few files that matter, not all that a cgroup tells.
#include "runtime/execute/gauge.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "runtime/execute/process_tree.h"
#include "runtime/kernel/file.h"

namespace langsbx::execute {
namespace {

// The number behind `key` and a blank, or the first one when there is no key; 0 when it is missing.
std::uint64_t number_in(const std::string& path, std::string_view key = {}) {
  const auto text = read_file(path, 8192);
  if (!text.ok()) return 0;
  std::string_view rest = *text;
  if (!key.empty()) {
    const auto place = rest.find(std::string(key) + " ");
    if (place == std::string_view::npos) return 0;
    rest.remove_prefix(place + key.size() + 1);
  }
  std::uint64_t value = 0;
  std::from_chars(rest.data(), rest.data() + rest.size(), value);
  return value;
}

constexpr std::uint64_t kPerMicrosecond = 1'000;

void read_cpu(const std::string& folder, bool unified, bool last, Gauged& seen) {
  if (unified) {
    const std::string path = folder + "/cpu.stat";
    seen.cpu_ns = std::max(seen.cpu_ns, number_in(path, "usage_usec") * kPerMicrosecond);
    if (!last) return;
    seen.user_ns = number_in(path, "user_usec") * kPerMicrosecond;
    seen.system_ns = number_in(path, "system_usec") * kPerMicrosecond;
    return;
  }
  seen.cpu_ns = std::max(seen.cpu_ns, number_in(folder + "/cpuacct.usage"));
  if (!last) return;
  seen.user_ns = number_in(folder + "/cpuacct.usage_user");
  seen.system_ns = number_in(folder + "/cpuacct.usage_sys");
}

void read_memory(const std::string& folder, bool unified, bool last, Gauged& seen) {
  seen.memory = number_in(folder + (unified ? "/memory.current" : "/memory.usage_in_bytes"));
  seen.memory_peak = std::max(seen.memory_peak, seen.memory);
  if (!last) return;
  const char* const peak = unified ? "/memory.peak" : "/memory.max_usage_in_bytes";
  seen.memory_peak = std::max(seen.memory_peak, number_in(folder + peak));
}

void read_pids(const std::string& folder, bool last, Gauged& seen) {
  const auto tasks = number_in(folder + "/pids.current");
  seen.tasks = tasks > 0 ? tasks - 1 : 0;  // our own process 1
  seen.tasks_peak = std::max(seen.tasks_peak, seen.tasks);
  seen.forks_refused = number_in(folder + "/pids.events", "max");
  if (!last) return;
  const auto peak = number_in(folder + "/pids.peak");  // since Linux 6.1
  if (peak > 0) seen.tasks_peak = std::max(seen.tasks_peak, peak - 1);
}

}  // namespace

void Gauge::read_group(bool last) {
  for (const auto& place : group_->record().placements) {
    const bool unified = place.controllers.empty();
    if (unified || place.has("cpuacct")) read_cpu(place.directory, unified, last, seen_);
    if (unified || place.has("memory")) read_memory(place.directory, unified, last, seen_);
    if (unified || place.has("pids")) read_pids(place.directory, last, seen_);
  }
}

const Gauged& Gauge::read() {
  if (group_->exists()) {
    read_group(false);
    return seen_;
  }
  auto use = tree_use(init_);
  if (use.memory > memory_limit_) {
    const auto share = tree_share(init_);
    if (share > 0) use.memory = std::min(use.memory, share);
  }
  seen_.user_ns = std::max(seen_.user_ns, use.user_ns);
  seen_.system_ns = std::max(seen_.system_ns, use.system_ns);
  seen_.cpu_ns = seen_.user_ns + seen_.system_ns;
  seen_.memory = use.memory;
  seen_.memory_peak = std::max(seen_.memory_peak, use.memory);
  seen_.tasks = use.tasks;
  seen_.tasks_peak = std::max(seen_.tasks_peak, use.tasks);
  return seen_;
}

const Gauged& Gauge::read_last() {
  if (group_->exists()) read_group(true);
  return seen_;
}

bool Gauge::oom_killed() const {
  return group_->exists() && group_->has_oom_killed().value_or(false);
}

}  // namespace langsbx::execute
