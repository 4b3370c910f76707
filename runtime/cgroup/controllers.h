// What every controller's planner takes and gives; one file a controller in v1/ and v2/.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "oci/spec_resources.h"
#include "runtime/base/result.h"
#include "runtime/cgroup/plan.h"

namespace langsbx::cgroup {

// What an update has to know of the running container, because one v2 file holds two values.
struct Current {
  std::optional<std::int64_t> memory_limit;  // -1: unlimited
  std::string cpu_quota;                     // first word of cpu.max
};

struct Writes {
  std::vector<Write> before_join;
  std::vector<Write> writes;
  std::vector<std::string> warnings;

  Write& add(std::string controller, std::string file, std::string value, std::string field) {
    writes.push_back({.controller = std::move(controller),
                      .file = std::move(file),
                      .value = std::move(value),
                      .field = "linux.resources." + std::move(field)});
    return writes.back();
  }
};

// The refusal of a field that only the other cgroup version has.
Error not_on_this_version(std::string_view field, int version);

// Checks that hold on both versions.
Result<void> check_block_io(const oci::BlockIoResources& block_io);
Result<void> check_page_size(const oci::HugepageLimit& limit, std::size_t index);
std::string device_number(std::int64_t major, std::int64_t minor);
std::string rdma_limits(const std::string& device, const oci::RdmaLimit& limit);

namespace v1 {
Result<void> plan_memory(const oci::MemoryResources& memory, Writes& out);
Result<void> plan_cpu(const oci::CpuResources& cpu, Writes& out);
void plan_cpuset(const oci::CpuResources& cpu, Writes& out);
void plan_pids(std::int64_t limit, Writes& out);
Result<void> plan_block_io(const oci::BlockIoResources& block_io, Writes& out);
Result<void> plan_hugetlb(const std::vector<oci::HugepageLimit>& limits, Writes& out);
void plan_network(const oci::NetworkResources& network, Writes& out);
void plan_rdma(const oci::Resources& resources, Writes& out);
Result<void> plan_devices(const std::vector<oci::DeviceRule>& rules, Writes& out);
}  // namespace v1

namespace v2 {
Result<void> plan_memory(const oci::MemoryResources& memory, const Current& current, Writes& out);
Result<void> plan_cpu(const oci::CpuResources& cpu, const Current& current, Writes& out);
void plan_cpuset(const oci::CpuResources& cpu, Writes& out);
void plan_pids(std::int64_t limit, Writes& out);
Result<void> plan_block_io(const oci::BlockIoResources& block_io, Writes& out);
Result<void> plan_hugetlb(const std::vector<oci::HugepageLimit>& limits, Writes& out);
Result<void> plan_network(const oci::NetworkResources& network);
void plan_rdma(const oci::Resources& resources, Writes& out);
Result<void> plan_unified(const std::map<std::string, std::string>& unified, Writes& out);
}  // namespace v2

}  // namespace langsbx::cgroup
