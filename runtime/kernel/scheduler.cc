// sched_setattr, ioprio_set, set_mempolicy, sched_setaffinity and its reading.
#include "runtime/kernel/scheduler.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <climits>

namespace langsbx {
namespace {

constexpr std::size_t kBits = sizeof(unsigned long) * CHAR_BIT;
constexpr std::size_t kMostProcessors = 8192;

}  // namespace

Result<void> set_scheduler(SchedulerAttributes attributes) {
  if (::syscall(SYS_sched_setattr, 0, &attributes, 0U) == 0) return {};
  return system_error("sched_setattr");
}

Result<void> set_group_io_priority(int priority) {
  constexpr int kProcessGroup = 2;  // IOPRIO_WHO_PGRP
  if (::syscall(SYS_ioprio_set, kProcessGroup, 0, priority) == 0) return {};
  return system_error("ioprio_set");
}

Result<void> set_memory_policy(int mode, const NumberMask& nodes) {
  // The kernel reads one bit less than it is told.
  const unsigned long bits = nodes.empty() ? 0 : nodes.size() * kBits + 1;
  const auto* const words = nodes.empty() ? nullptr : nodes.data();
  if (::syscall(SYS_set_mempolicy, mode, words, bits) == 0) return {};
  return system_error("set_mempolicy");
}

Result<void> set_affinity(pid_t pid, const NumberMask& processors) {
  const std::size_t size = processors.size() * sizeof(unsigned long);
  if (::syscall(SYS_sched_setaffinity, pid, size, processors.data()) >= 0) return {};
  return system_error("sched_setaffinity");
}

Result<NumberMask> affinity() {
  NumberMask processors(kMostProcessors / kBits, 0);
  const std::size_t room = processors.size() * sizeof(unsigned long);
  const long size = ::syscall(SYS_sched_getaffinity, 0, room, processors.data());
  if (size < 0) return system_error("sched_getaffinity");
  processors.resize(static_cast<std::size_t>(size) / sizeof(unsigned long));
  return processors;
}

}  // namespace langsbx
