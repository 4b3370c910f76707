// Where and when a process runs, in the words of the kernel: the C library has no door for some of
// these calls, and its cpu_set_t ends at 1024 processors.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx {

// The kernel's struct sched_attr, first version.
struct SchedulerAttributes {
  std::uint32_t size = sizeof(SchedulerAttributes);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0;
  std::uint64_t deadline = 0;
  std::uint64_t period = 0;
};

// One bit for each processor or memory node, in words of unsigned long.
using NumberMask = std::vector<unsigned long>;

Result<void> set_scheduler(SchedulerAttributes attributes);
// Of the whole process group; class and level as ioprio_set(2) has them.
Result<void> set_group_io_priority(int priority);
Result<void> set_memory_policy(int mode, const NumberMask& nodes);
Result<void> set_affinity(pid_t pid, const NumberMask& processors);
Result<NumberMask> affinity();

}  // namespace langsbx
