// What a run uses at this moment: its cgroup says it, or, where there is none, /proc.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "runtime/cgroup/cgroup.h"

namespace langsbx::execute {

struct Gauged {
  std::uint64_t cpu_ns = 0, user_ns = 0, system_ns = 0;
  std::uint64_t memory = 0;         // at the moment
  std::uint64_t memory_peak = 0;    // as far as it was seen
  std::uint64_t tasks = 0;          // processes and threads, ours not counted
  std::uint64_t tasks_peak = 0;     // as far as it was seen
  std::uint64_t forks_refused = 0;  // by the cgroup
};

class Gauge {
 public:
  // `init` is our own process 1 or reaper. Near `memory_limit` it is worth to count exactly.
  Gauge(const cgroup::Cgroup& group, pid_t init, std::uint64_t memory_limit)
      : group_(&group), init_(init), memory_limit_(memory_limit) {}

  [[nodiscard]] bool counts_in_kernel() const { return group_->exists(); }
  const Gauged& read();
  // At the end, when all processes are gone and the cgroup still stands.
  const Gauged& read_last();
  [[nodiscard]] bool oom_killed() const;

 private:
  void read_group(bool last);
  const cgroup::Cgroup* group_;
  pid_t init_;
  std::uint64_t memory_limit_;
  Gauged seen_;
};

}  // namespace langsbx::execute
