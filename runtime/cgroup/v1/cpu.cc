// v1 cpu: shares, bandwidth, real time, idle.
#include "runtime/cgroup/controllers.h"

namespace langsbx::cgroup::v1 {

Result<void> plan_cpu(const oci::CpuResources& cpu, Writes& out) {
  constexpr std::uint64_t kLeastShares = 2;
  constexpr std::uint64_t kMostShares = 262144;
  const auto shares = cpu.shares.value_or(0);
  if (shares != 0 && (shares < kLeastShares || shares > kMostShares)) {
    const bool small = shares < kLeastShares;
    return make_error(ErrorKind::kInvalidInput,
                      std::string("linux.resources.cpu.shares: the ") +
                          (small ? "minimum" : "maximum") + " allowed cpu-shares is " +
                          std::to_string(small ? kLeastShares : kMostShares));
  }
  // A process of real-time class can't enter a group without real-time budget.
  if (cpu.realtime_period.value_or(0) != 0) {
    auto& write = out.before_join.emplace_back();
    write = {.controller = "cpu",
             .file = "cpu.rt_period_us",
             .value = std::to_string(*cpu.realtime_period),
             .field = "linux.resources.cpu.realtimePeriod"};
    write.order_free = true;
  }
  if (cpu.realtime_runtime.value_or(0) != 0) {
    out.before_join.push_back({.controller = "cpu",
                               .file = "cpu.rt_runtime_us",
                               .value = std::to_string(*cpu.realtime_runtime),
                               .field = "linux.resources.cpu.realtimeRuntime"});
  }
  if (shares != 0) {
    // Refused while cpu.idle is 1, which the same update may end.
    out.add("cpu", "cpu.shares", std::to_string(shares), "cpu.shares").order_free = true;
  }
  if (cpu.idle) out.add("cpu", "cpu.idle", std::to_string(*cpu.idle), "cpu.idle");
  // A shorter period or a larger burst may not fit the old quota.
  if (cpu.period.value_or(0) != 0) {
    out.add("cpu", "cpu.cfs_period_us", std::to_string(*cpu.period), "cpu.period").order_free =
        true;
  }
  if (cpu.burst) {
    out.add("cpu", "cpu.cfs_burst_us", std::to_string(*cpu.burst), "cpu.burst").order_free = true;
  }
  if (cpu.quota.value_or(0) != 0) {
    out.add("cpu", "cpu.cfs_quota_us", std::to_string(*cpu.quota < 0 ? -1 : *cpu.quota),
            "cpu.quota");
  }
  return {};
}

}  // namespace langsbx::cgroup::v1
