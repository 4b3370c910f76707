// Statistics of v1 controllers.
#include <limits>

#include "runtime/cgroup/stats_files.h"
#include "runtime/cgroup/text.h"

namespace langsbx::cgroup::v1 {
namespace {

void read_cpuacct(const std::string& directory, CpuStats& cpu) {
  constexpr std::uint64_t kTick = 1000000000 / 100;  // USER_HZ is 100 on all Linux ports
  cpu.total = number_or_zero(directory + "/cpuacct.usage");
  cpu.percpu = numbers_in(directory + "/cpuacct.usage_percpu");
  cpu.percpu_user = numbers_in(directory + "/cpuacct.usage_percpu_user");
  cpu.percpu_kernel = numbers_in(directory + "/cpuacct.usage_percpu_sys");
  const std::string text = text_or_empty(directory + "/cpuacct.stat");
  for (const auto& [key, value] : key_values(text)) {
    if (key == "user") cpu.user = value * kTick;
    if (key == "system") cpu.kernel = value * kTick;
  }
}

void read_cpu(const std::string& directory, CpuStats& cpu) {
  const std::string text = text_or_empty(directory + "/cpu.stat");
  for (const auto& [key, value] : key_values(text)) {
    if (key == "nr_periods") cpu.periods = value;
    if (key == "nr_throttled") cpu.throttled_periods = value;
    if (key == "throttled_time") cpu.throttled_time = value;
  }
}

MemoryEntry memory_entry(const std::string& prefix) {
  return {.limit = number_or_zero(prefix + ".limit_in_bytes"),
          .usage = number_or_zero(prefix + ".usage_in_bytes"),
          .max = number_or_zero(prefix + ".max_usage_in_bytes"),
          .failcnt = number_or_zero(prefix + ".failcnt")};
}

void read_memory(const std::string& directory, MemoryStats& memory) {
  const std::string text = text_or_empty(directory + "/memory.stat");
  for (const auto& [key, value] : key_values(text)) memory.raw.emplace(key, value);
  if (const auto cache = memory.raw.find("cache"); cache != memory.raw.end()) {
    memory.cache = cache->second;
  }
  memory.usage = memory_entry(directory + "/memory");
  memory.swap = memory_entry(directory + "/memory.memsw");
  memory.kernel = memory_entry(directory + "/memory.kmem");
  memory.kernel_tcp = memory_entry(directory + "/memory.kmem.tcp");
}

void read_cpuset(const std::string& directory, CpusetStats& cpuset) {
  cpuset.cpus =
      range_list(text_or_empty(directory + "/cpuset.cpus")).value_or(std::vector<std::uint16_t>());
  cpuset.mems =
      range_list(text_or_empty(directory + "/cpuset.mems")).value_or(std::vector<std::uint16_t>());
  for (const char* name : {"cpu_exclusive", "mem_hardwall", "mem_exclusive", "memory_migrate",
                           "memory_spread_page", "memory_spread_slab", "memory_pressure",
                           "sched_load_balance", "sched_relax_domain_level"}) {
    const auto value = to_signed(text_or_empty(directory + "/cpuset." + name));
    if (value) cpuset.flags[name] = *value;
  }
}

// "8:0 Read 4096"; the line "Total 4096" has no device.
std::vector<BlkioEntry> blkio_table(const std::string& path) {
  std::vector<BlkioEntry> table;
  const std::string text = text_or_empty(path);
  for (const auto line : split(text, '\n')) {
    const auto words = split(line, ' ');
    const auto colon = words.empty() ? std::string_view::npos : words.front().find(':');
    if (words.size() < 2 || colon == std::string_view::npos) continue;
    const auto major = to_number(words.front().substr(0, colon));
    const auto minor = to_number(words.front().substr(colon + 1));
    const auto value = to_number(words.back());
    if (!major || !minor || !value) continue;
    table.push_back({*major, *minor, words.size() > 2 ? std::string(words[1]) : "", *value});
  }
  return table;
}

void read_blkio(const std::string& directory, BlkioStats& blkio) {
  struct Source {
    const char* table;
    const char* suffix;
  };
  constexpr Source kSources[] = {
      {"ioServiceBytesRecursive", "io_service_bytes_recursive"},
      {"ioServicedRecursive", "io_serviced_recursive"},
      {"ioQueueRecursive", "io_queued_recursive"},
      {"ioServiceTimeRecursive", "io_service_time_recursive"},
      {"ioWaitTimeRecursive", "io_wait_time_recursive"},
      {"ioMergedRecursive", "io_merged_recursive"},
      {"ioTimeRecursive", "time_recursive"},
      {"sectorsRecursive", "sectors_recursive"},
  };
  for (const auto& source : kSources) {
    // Whoever schedules the disk counts: BFQ, CFQ of old kernels, or else the throttling layer.
    for (const char* layer : {"bfq.", "", "throttle."}) {
      auto table = blkio_table(directory + "/blkio." + layer + source.suffix);
      if (table.empty()) continue;
      blkio.tables[source.table] = std::move(table);
      break;
    }
  }
}

void read_pids(const std::string& directory, PidsStats& pids) {
  pids.current = number_or_zero(directory + "/pids.current");
  const auto limit = number_or_zero(directory + "/pids.max");
  pids.limit = limit == std::numeric_limits<std::uint64_t>::max() ? 0 : limit;
}

void read_hugetlb(const std::string& directory, Stats& out) {
  for (const auto& size : huge_page_sizes()) {
    std::string base = directory + "/hugetlb." + size + ".rsvd";
    if (text_or_empty(base + ".usage_in_bytes").empty()) base = directory + "/hugetlb." + size;
    if (text_or_empty(base + ".usage_in_bytes").empty()) continue;
    out.hugetlb.emplace(size, HugetlbStats{.usage = number_or_zero(base + ".usage_in_bytes"),
                                           .max = number_or_zero(base + ".max_usage_in_bytes"),
                                           .failcnt = number_or_zero(base + ".failcnt")});
  }
}

}  // namespace

void read_stats(const std::string& controller, const std::string& directory, Stats& out) {
  if (controller == "cpuacct") read_cpuacct(directory, out.cpu);
  if (controller == "cpu") read_cpu(directory, out.cpu);
  if (controller == "memory") read_memory(directory, out.memory);
  if (controller == "cpuset") read_cpuset(directory, out.cpuset);
  if (controller == "blkio") read_blkio(directory, out.blkio);
  if (controller == "pids") read_pids(directory, out.pids);
  if (controller == "hugetlb") read_hugetlb(directory, out);
}

}  // namespace langsbx::cgroup::v1
