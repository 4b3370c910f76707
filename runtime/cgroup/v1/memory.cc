// v1 memory: limits, swap (memory + swap together), kernel memory where kernels still have it.
#include "runtime/cgroup/controllers.h"

namespace langsbx::cgroup::v1 {

Result<void> plan_memory(const oci::MemoryResources& memory, Writes& out) {
  const auto limit = memory.limit.value_or(0);
  const auto swap = memory.swap.value_or(0);
  if (limit > 0 && swap > 0 && swap < limit) {
    return make_error(ErrorKind::kInvalidInput,
                      "linux.resources.memory.swap: memory+swap limit " + std::to_string(swap) +
                          " should be >= memory limit " + std::to_string(limit));
  }
  // The kernel keeps limit <= memsw at every moment, so which comes first depends on the old
  // values: the first attempt may fail with EINVAL and is repeated after the other.
  if (limit != 0) {
    out.add("memory", "memory.limit_in_bytes", std::to_string(limit), "memory.limit").order_free =
        true;
  }
  if (swap != 0) {
    out.add("memory", "memory.memsw.limit_in_bytes", std::to_string(swap), "memory.swap");
  } else if (limit < 0) {
    auto& unlimited = out.add("memory", "memory.memsw.limit_in_bytes", "-1", "memory.limit");
    unlimited.missing_ok = true;  // a kernel without swap accounting
  }
  if (memory.reservation.value_or(0) != 0) {
    out.add("memory", "memory.soft_limit_in_bytes", std::to_string(*memory.reservation),
            "memory.reservation");
  }
  if (memory.kernel.value_or(0) != 0) {
    out.add("memory", "memory.kmem.limit_in_bytes", std::to_string(*memory.kernel), "memory.kernel")
        .best_effort = true;
  }
  if (memory.kernel_tcp.value_or(0) != 0) {
    out.add("memory", "memory.kmem.tcp.limit_in_bytes", std::to_string(*memory.kernel_tcp),
            "memory.kernelTCP")
        .best_effort = true;
  }
  if (memory.swappiness) {
    if (*memory.swappiness > 200) {
      return make_error(ErrorKind::kInvalidInput,
                        "linux.resources.memory.swappiness: " + std::to_string(*memory.swappiness) +
                            " is not within 0 and 200");
    }
    out.add("memory", "memory.swappiness", std::to_string(*memory.swappiness), "memory.swappiness");
  }
  if (memory.disable_oom_killer.value_or(false)) {
    out.add("memory", "memory.oom_control", "1", "memory.disableOOMKiller");
  }
  if (memory.use_hierarchy) {
    // Since 5.11 the hierarchy can't be turned off any more.
    out.add("memory", "memory.use_hierarchy", *memory.use_hierarchy ? "1" : "0",
            "memory.useHierarchy")
        .best_effort = true;
  }
  return {};
}

}  // namespace langsbx::cgroup::v1
