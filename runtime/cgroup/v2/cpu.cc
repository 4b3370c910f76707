// v2 cpu: weight, idle, bandwidth.
#include "runtime/cgroup/controllers.h"

#include "runtime/cgroup/conversions.h"

namespace langsbx::cgroup::v2 {

Result<void> plan_cpu(const oci::CpuResources& cpu, const Current& current, Writes& out) {
  if (cpu.realtime_runtime.value_or(0) != 0) return not_on_this_version("cpu.realtimeRuntime", 2);
  if (cpu.realtime_period.value_or(0) != 0) return not_on_this_version("cpu.realtimePeriod", 2);
  if (cpu.shares.value_or(0) != 0) {
    // Refused while cpu.idle is 1, which the same update may end.
    out.add("cpu", "cpu.weight", std::to_string(cpu_weight_from_shares(*cpu.shares)), "cpu.shares")
        .order_free = true;
  }
  if (cpu.idle) out.add("cpu", "cpu.idle", std::to_string(*cpu.idle), "cpu.idle");
  if (cpu.burst) {
    // A burst above the old quota has to wait for the new one.
    out.add("cpu", "cpu.max.burst", std::to_string(*cpu.burst), "cpu.burst").order_free = true;
  }
  const auto quota = cpu.quota.value_or(0);
  const auto period = cpu.period.value_or(0);
  if (quota == 0 && period == 0) return {};
  std::string value = limit_or_max(quota);
  if (quota == 0) value = current.cpu_quota.empty() ? "max" : current.cpu_quota;
  // Without a period the file keeps the one it has.
  if (period != 0) value += " " + std::to_string(period);
  out.add("cpu", "cpu.max", value, quota != 0 ? "cpu.quota" : "cpu.period");
  return {};
}

}  // namespace langsbx::cgroup::v2
