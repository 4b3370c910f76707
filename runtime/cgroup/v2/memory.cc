// v2 memory: memory.max, memory.low, and swap without the memory in it.
#include "runtime/cgroup/controllers.h"

#include "runtime/cgroup/conversions.h"

namespace langsbx::cgroup::v2 {

Result<void> plan_memory(const oci::MemoryResources& memory, const Current& current, Writes& out) {
  if (memory.swappiness) return not_on_this_version("memory.swappiness", 2);
  if (memory.disable_oom_killer.value_or(false)) {
    return not_on_this_version("memory.disableOOMKiller", 2);
  }
  for (const auto& [value, member] :
       {std::pair{memory.kernel, "kernel"}, std::pair{memory.kernel_tcp, "kernelTCP"}}) {
    if (value.value_or(0) != 0) {
      out.warnings.push_back(std::string("linux.resources.memory.") + member +
                             ": ignored, cgroup v2 counts kernel memory in memory.limit");
    }
  }
  if (memory.use_hierarchy.has_value() && !*memory.use_hierarchy) {
    out.warnings.emplace_back(
        "linux.resources.memory.useHierarchy: ignored, cgroup v2 is always hierarchical");
  }
  const auto limit = memory.limit.value_or(0);
  const auto swap =
      TRY(swap_for_v2(memory.swap, limit != 0 ? std::optional(limit) : current.memory_limit));
  // A smaller memory.max pushes pages to swap: its limit has to stand by then.
  if (swap) {
    auto& write = out.add("memory", "memory.swap.max", limit_or_max(*swap), "memory.swap");
    // Without swap accounting nothing can be swapped: only a limit that was asked for is missed.
    write.missing_ok = memory.swap.value_or(0) <= 0;
  }
  if (limit != 0) out.add("memory", "memory.max", limit_or_max(limit), "memory.limit");
  if (memory.reservation.value_or(0) != 0) {
    out.add("memory", "memory.low", limit_or_max(*memory.reservation), "memory.reservation");
  }
  return {};
}

}  // namespace langsbx::cgroup::v2
