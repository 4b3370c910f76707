// Statistics of a cgroup2 directory, in the units and places of v1 that clients know.
#include <limits>
#include <string_view>

#include "runtime/cgroup/stats_files.h"
#include "runtime/cgroup/text.h"

namespace langsbx::cgroup::v2 {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

void read_cpu(const std::string& directory, CpuStats& cpu) {
  constexpr std::uint64_t kMicro = 1000;  // nanoseconds
  const std::string text = text_or_empty(directory + "/cpu.stat");
  for (const auto& [key, value] : key_values(text)) {
    if (key == "usage_usec") cpu.total = value * kMicro;
    if (key == "user_usec") cpu.user = value * kMicro;
    if (key == "system_usec") cpu.kernel = value * kMicro;
    if (key == "nr_periods") cpu.periods = value;
    if (key == "nr_throttled") cpu.throttled_periods = value;
    if (key == "throttled_usec") cpu.throttled_time = value * kMicro;
  }
  cpu.pressure = pressure_in(directory + "/cpu.pressure");
}

void read_memory(const std::string& directory, MemoryStats& memory) {
  const std::string text = text_or_empty(directory + "/memory.stat");
  for (const auto& [key, value] : key_values(text)) memory.raw.emplace(key, value);
  if (const auto file = memory.raw.find("file"); file != memory.raw.end()) {
    memory.cache = file->second;
  }
  memory.usage.usage = number_or_zero(directory + "/memory.current");
  memory.usage.limit = number_or_zero(directory + "/memory.max");
  memory.usage.max = number_or_zero(directory + "/memory.peak");
  const std::string events = text_or_empty(directory + "/memory.events");
  for (const auto& [key, value] : key_values(events)) {
    if (key == "max") memory.usage.failcnt = value;
  }
  // v1 counts memory in its swap numbers, and so do the clients.
  memory.swap.usage = number_or_zero(directory + "/memory.swap.current") + memory.usage.usage;
  const auto swap_limit = number_or_zero(directory + "/memory.swap.max");
  const bool unlimited = swap_limit == kUnlimited || memory.usage.limit == kUnlimited;
  memory.swap.limit = unlimited ? kUnlimited : swap_limit + memory.usage.limit;
  memory.pressure = pressure_in(directory + "/memory.pressure");
}

// "8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=5 dios=6"
void read_io(const std::string& directory, BlkioStats& blkio) {
  struct Column {
    std::string_view key;
    std::string_view table;
    std::string_view operation;
  };
  static constexpr Column kColumns[] = {
      {"rbytes", "ioServiceBytesRecursive", "Read"},
      {"wbytes", "ioServiceBytesRecursive", "Write"},
      {"rios", "ioServicedRecursive", "Read"},
      {"wios", "ioServicedRecursive", "Write"},
  };
  const std::string text = text_or_empty(directory + "/io.stat");
  for (const auto line : split(text, '\n')) {
    const auto words = split(line, ' ');
    if (words.empty()) continue;
    const auto colon = words.front().find(':');
    if (colon == std::string_view::npos) continue;
    const auto major = to_number(words.front().substr(0, colon));
    const auto minor = to_number(words.front().substr(colon + 1));
    if (!major || !minor) continue;
    for (const auto word : words) {
      const auto equals = word.find('=');
      if (equals == std::string_view::npos) continue;
      for (const auto& column : kColumns) {
        if (word.substr(0, equals) != column.key) continue;
        blkio.tables[std::string(column.table)].push_back(
            {*major, *minor, std::string(column.operation),
             to_number(word.substr(equals + 1)).value_or(0)});
      }
    }
  }
  blkio.pressure = pressure_in(directory + "/io.pressure");
}

std::vector<std::uint16_t> list_in(const std::string& path) {
  return range_list(text_or_empty(path)).value_or(std::vector<std::uint16_t>());
}

}  // namespace

void read_hugetlb(const std::string& directory, Stats& out) {
  for (const auto& size : huge_page_sizes()) {
    const std::string prefix = join_path(directory, "hugetlb.").append(size);
    // Reservations where the kernel counts them: that is what the limit is set on first.
    std::string base = prefix + ".rsvd";
    if (text_or_empty(base + ".current").empty()) base = prefix;
    if (text_or_empty(base + ".current").empty()) continue;
    HugetlbStats stats;
    stats.usage = number_or_zero(base + ".current");
    const std::string events = text_or_empty(prefix + ".events");
    for (const auto& [key, value] : key_values(events)) {
      if (key == "max") stats.failcnt = value;
    }
    out.hugetlb.emplace(size, stats);
  }
}

void read_stats(const std::string& directory, Stats& out) {
  read_cpu(directory, out.cpu);
  read_memory(directory, out.memory);
  read_io(directory, out.blkio);
  read_hugetlb(directory, out);
  out.cpuset.cpus = list_in(directory + "/cpuset.cpus.effective");
  out.cpuset.mems = list_in(directory + "/cpuset.mems.effective");
  out.pids.current = number_or_zero(directory + "/pids.current");
  const auto limit = number_or_zero(directory + "/pids.max");
  out.pids.limit = limit == kUnlimited ? 0 : limit;
}

}  // namespace langsbx::cgroup::v2
