// Scheduler, io priority, personality, memory policy and CPU affinity of the container's process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oci/spec.h"
#include "runtime/base/result.h"
#include "runtime/kernel/scheduler.h"

namespace langsbx::confine {

// A CPU or node list ("0-3,7") as words of a bit mask, as the kernel takes it.
using CpuMask = NumberMask;
Result<CpuMask> parse_cpu_list(std::string_view list, std::string_view field);

struct MemoryPolicyPlan {
  int mode = 0;  // with MPOL_F_* flags
  CpuMask nodes;
};
struct SchedulingPlan {
  std::optional<SchedulerAttributes> scheduler;
  std::optional<int> io_priority;            // class << 13 | level
  std::optional<unsigned long> personality;  // NOLINT: the kernel's type
  std::optional<MemoryPolicyPlan> memory_policy;
  // execCPUAffinity: for `exec` only, but a list that is none is refused with the rest.
  std::optional<CpuMask> exec_initial;
  std::optional<CpuMask> exec_final;
};

// Everything is checked here; `cpuset_limited` (resources.cpu.cpus is set) refuses SCHED_DEADLINE.
Result<SchedulingPlan> plan_scheduling(const oci::Process& process, const oci::Linux& linux_,
                                       bool cpuset_limited);
// In the child, before capabilities are dropped and before seccomp.
Result<void> apply_scheduling(const SchedulingPlan& plan);

// Sets the affinity of `pid` (0: the caller).
// "0x3", for the log.
std::string mask_text(const CpuMask& mask);
Result<void> apply_cpu_affinity(const CpuMask& mask, int pid = 0);
// Every CPU the cpuset allows: undoes the affinity inherited from whoever called the runtime.
Result<void> reset_cpu_affinity(int pid = 0);

// `count` of those that `allowed` has, from processor `first` on and round; all when there are no
// more.
CpuMask choose_processors(const CpuMask& allowed, std::size_t count, std::size_t first);
Result<CpuMask> allowed_processors();
// The caller keeps the processor that it runs on, and as many others as make `count`: to be moved
// to another one costs a wait for the one that does it and for a place there.
Result<void> stay_on_processors(std::size_t count);

// A realtime caller's children start as ordinary processes: cgroups without realtime time of their
// own refuse others, and where they do not, a container could starve the host unasked.
Result<void> bear_ordinary_children();

}  // namespace langsbx::confine
