// Profile limits -> cgroup resources and rlimits.
#include "runtime/guard/limits.h"

#include <algorithm>

namespace langsbx::guard {
namespace {

constexpr std::uint64_t kDefaultPeriod = 100'000;  // microseconds
constexpr std::uint64_t kLeastQuota = 1'000;       // the kernel takes no less
constexpr std::uint64_t kMostCpu = 1'000'000;      // thousandths: keeps the product in range

std::int64_t clamped(std::uint64_t value) {
  return static_cast<std::int64_t>(std::min(value, ~std::uint64_t{0} >> 1U));
}

// Absent, 0 and negative mean "no limit" to the configuration.
void lower(std::optional<std::int64_t>& limit, std::uint64_t other) {
  const bool unlimited = !limit || *limit <= 0;
  limit = unlimited ? clamped(other) : std::min(*limit, clamped(other));
}

void limit_cpu(std::uint64_t thousandths, oci::Resources& resources) {
  auto& cpu = resources.cpu ? *resources.cpu : resources.cpu.emplace();
  if (!cpu.period || *cpu.period == 0) cpu.period = kDefaultPeriod;
  const auto quota = std::max(kLeastQuota, *cpu.period * std::min(thousandths, kMostCpu) / 1000);
  lower(cpu.quota, quota);
  // A burst above the quota is refused by the kernel.
  if (cpu.burst && *cpu.burst > static_cast<std::uint64_t>(*cpu.quota)) cpu.burst.reset();
}

}  // namespace

void limit_resources(const languages::Limits& limits, oci::Resources& resources) {
  if (limits.memory) {
    auto& memory = resources.memory ? *resources.memory : resources.memory.emplace();
    lower(memory.limit, *limits.memory);
    if (memory.reservation && *memory.reservation > *memory.limit) memory.reservation.reset();
  }
  if (limits.cpu) limit_cpu(*limits.cpu, resources);
  if (limits.processes) lower(resources.pids_limit, std::max<std::uint64_t>(*limits.processes, 1));
}

void limit_program(const languages::Limits& limits, plan::ProgramPlan& program) {
  auto& plan = program.lowered_rlimits;
  if (limits.cpu_time) {
    // A second to die of SIGXCPU in, then SIGKILL.
    const rlim_t seconds = (*limits.cpu_time + 999) / 1000;
    plan.push_back({RLIMIT_CPU, "RLIMIT_CPU", {seconds, seconds + 1}});
  }
  if (limits.files) {
    plan.push_back({RLIMIT_NOFILE, "RLIMIT_NOFILE", {*limits.files, *limits.files}});
  }
  if (limits.disk) {
    // Standard output may be a file of the caller, and counts as output.
    const rlim_t bytes = std::max(*limits.disk, limits.output.value_or(0));
    plan.push_back({RLIMIT_FSIZE, "RLIMIT_FSIZE", {bytes, bytes}});
  }
}

void limit_program_memory(const languages::Limits& limits, plan::ProgramPlan& program) {
  if (!limits.memory) return;
  program.lowered_rlimits.push_back({RLIMIT_DATA, "RLIMIT_DATA", {*limits.memory, *limits.memory}});
}

}  // namespace langsbx::guard
