// What a container uses, as `events --stats` reports it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace langsbx::cgroup {

struct PressureLine {
  double avg10 = 0;
  double avg60 = 0;
  double avg300 = 0;
  std::uint64_t total = 0;
};
struct Pressure {
  PressureLine some;
  PressureLine full;
};

struct CpuStats {
  std::uint64_t total = 0;  // nanoseconds
  std::uint64_t kernel = 0;
  std::uint64_t user = 0;
  std::vector<std::uint64_t> percpu;
  std::vector<std::uint64_t> percpu_kernel;
  std::vector<std::uint64_t> percpu_user;
  std::uint64_t periods = 0;
  std::uint64_t throttled_periods = 0;
  std::uint64_t throttled_time = 0;  // nanoseconds
  std::optional<Pressure> pressure;
};

struct CpusetStats {
  std::vector<std::uint16_t> cpus;
  std::vector<std::uint16_t> mems;
  std::map<std::string, std::int64_t> flags;  // "cpu_exclusive", "sched_load_balance", ...
};

struct MemoryEntry {
  std::uint64_t limit = 0;
  std::uint64_t usage = 0;
  std::uint64_t max = 0;
  std::uint64_t failcnt = 0;
};
struct MemoryStats {
  std::uint64_t cache = 0;
  MemoryEntry usage;
  MemoryEntry swap;
  MemoryEntry kernel;
  MemoryEntry kernel_tcp;
  std::map<std::string, std::uint64_t> raw;  // memory.stat
  std::optional<Pressure> pressure;
};

struct PidsStats {
  std::uint64_t current = 0;
  std::uint64_t limit = 0;  // 0: unlimited
};

struct BlkioEntry {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  std::string op;  // "Read"
  std::uint64_t value = 0;
};
struct BlkioStats {
  // Key: the member of runc's JSON, "ioServiceBytesRecursive", "ioServicedRecursive", ...
  std::map<std::string, std::vector<BlkioEntry>> tables;
  std::optional<Pressure> pressure;
};

struct HugetlbStats {
  std::uint64_t usage = 0;
  std::uint64_t max = 0;
  std::uint64_t failcnt = 0;
};

struct Stats {
  CpuStats cpu;
  CpusetStats cpuset;
  MemoryStats memory;
  PidsStats pids;
  BlkioStats blkio;
  std::map<std::string, HugetlbStats> hugetlb;  // key: "2MB"
};

// The "data" of a stats event, member for member what clients of runc decode; the intel_rdt and
// network_interfaces members are the caller's to fill.
nlohmann::ordered_json to_json(const Stats& stats);

}  // namespace langsbx::cgroup
