// Statistics as JSON: names, nesting and left-out zeros are those that clients of runc decode.
#include <nlohmann/json.hpp>

#include "runtime/cgroup/stats.h"

namespace langsbx::cgroup {
namespace {

using Json = nlohmann::ordered_json;

void set_if(Json& json, const char* key, std::uint64_t value) {
  if (value != 0) json[key] = value;
}

template <typename T>
void set_if(Json& json, const char* key, const std::vector<T>& list) {
  if (!list.empty()) json[key] = list;
}

Json pressure_line(const PressureLine& line) {
  return {
      {"avg10", line.avg10}, {"avg60", line.avg60}, {"avg300", line.avg300}, {"total", line.total}};
}

void set_if(Json& json, const std::optional<Pressure>& pressure) {
  if (!pressure) return;
  json["psi"] = {{"some", pressure_line(pressure->some)}, {"full", pressure_line(pressure->full)}};
}

Json cpu_json(const CpuStats& cpu) {
  Json usage = Json::object();
  set_if(usage, "total", cpu.total);
  set_if(usage, "percpu", cpu.percpu);
  set_if(usage, "percpu_kernel", cpu.percpu_kernel);
  set_if(usage, "percpu_user", cpu.percpu_user);
  usage["kernel"] = cpu.kernel;
  usage["user"] = cpu.user;
  Json throttling = Json::object();
  set_if(throttling, "periods", cpu.periods);
  set_if(throttling, "throttledPeriods", cpu.throttled_periods);
  set_if(throttling, "throttledTime", cpu.throttled_time);
  Json json = {{"usage", std::move(usage)}, {"throttling", std::move(throttling)}};
  set_if(json, cpu.pressure);
  return json;
}

Json cpuset_json(const CpusetStats& cpuset) {
  Json json = Json::object();
  const auto flag = [&](const char* name) {
    const auto found = cpuset.flags.find(name);
    json[name] = found == cpuset.flags.end() ? 0 : found->second;
  };
  set_if(json, "cpus", cpuset.cpus);
  flag("cpu_exclusive");
  set_if(json, "mems", cpuset.mems);
  for (const char* name : {"mem_hardwall", "mem_exclusive", "memory_migrate", "memory_spread_page",
                           "memory_spread_slab", "memory_pressure", "sched_load_balance",
                           "sched_relax_domain_level"}) {
    flag(name);
  }
  return json;
}

Json entry_json(const MemoryEntry& entry) {
  Json json = {{"limit", entry.limit}};
  set_if(json, "usage", entry.usage);
  set_if(json, "max", entry.max);
  json["failcnt"] = entry.failcnt;
  return json;
}

Json memory_json(const MemoryStats& memory) {
  Json json = Json::object();
  set_if(json, "cache", memory.cache);
  json["usage"] = entry_json(memory.usage);
  json["swap"] = entry_json(memory.swap);
  json["kernel"] = entry_json(memory.kernel);
  json["kernelTCP"] = entry_json(memory.kernel_tcp);
  if (!memory.raw.empty()) json["raw"] = memory.raw;
  set_if(json, memory.pressure);
  return json;
}

Json blkio_json(const BlkioStats& blkio) {
  Json json = Json::object();
  for (const auto& [name, entries] : blkio.tables) {
    Json table = Json::array();
    for (const auto& entry : entries) {
      Json line = Json::object();
      set_if(line, "major", entry.major);
      set_if(line, "minor", entry.minor);
      if (!entry.op.empty()) line["op"] = entry.op;
      set_if(line, "value", entry.value);
      table.push_back(std::move(line));
    }
    json[name] = std::move(table);
  }
  set_if(json, blkio.pressure);
  return json;
}

}  // namespace

nlohmann::ordered_json to_json(const Stats& stats) {
  Json pids = Json::object();
  set_if(pids, "current", stats.pids.current);
  set_if(pids, "limit", stats.pids.limit);
  Json hugetlb = Json::object();
  for (const auto& [size, usage] : stats.hugetlb) {
    Json entry = Json::object();
    set_if(entry, "usage", usage.usage);
    set_if(entry, "max", usage.max);
    entry["failcnt"] = usage.failcnt;
    hugetlb[size] = std::move(entry);
  }
  return {{"cpu", cpu_json(stats.cpu)},          {"cpuset", cpuset_json(stats.cpuset)},
          {"memory", memory_json(stats.memory)}, {"pids", std::move(pids)},
          {"blkio", blkio_json(stats.blkio)},    {"hugetlb", std::move(hugetlb)},
          {"intel_rdt", Json::object()},         {"network_interfaces", nullptr}};
}

}  // namespace langsbx::cgroup
