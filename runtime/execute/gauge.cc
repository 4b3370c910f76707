// The few files that matter, not all that a cgroup tells.
#include "runtime/execute/gauge.h"

#include <fcntl.h>
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
  // Such a file is given whole by one read.
  char buffer[4096];
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const ssize_t size = file.valid() ? ::read(file.get(), buffer, sizeof buffer) : 0;
  if (size <= 0) return 0;
  std::string_view rest(buffer, static_cast<std::size_t>(size));
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
  if (last) {
    const char* const peak = unified ? "/memory.peak" : "/memory.max_usage_in_bytes";
    seen.memory_peak = std::max(seen.memory_peak, number_in(folder + peak));
    return;
  }
  seen.memory = number_in(folder + (unified ? "/memory.current" : "/memory.usage_in_bytes"));
  seen.memory_peak = std::max(seen.memory_peak, seen.memory);
}

void read_pids(const std::string& folder, bool last, Gauged& seen) {
  constexpr std::uint64_t kOurs = 1;  // process 1
  // "peak" is there since Linux 6.1.
  const auto tasks = number_in(folder + (last ? "/pids.peak" : "/pids.current"));
  const auto theirs = tasks > kOurs ? tasks - kOurs : 0;
  seen.tasks_peak = std::max(seen.tasks_peak, theirs);
  if (!last) seen.tasks = theirs;
  seen.forks_refused = number_in(folder + "/pids.events", "max");
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
