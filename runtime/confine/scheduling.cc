// Scheduling properties: names to the kernel's numbers, then one call each.
#include "runtime/confine/scheduling.h"

#include <sched.h>
#include <sys/personality.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <climits>
#include <span>
#include <string_view>

#include "runtime/base/text.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/scheduler.h"

namespace langsbx::confine {
namespace {

struct Named {
  std::string_view name;
  std::uint32_t value;
};

constexpr auto kPolicies =
    std::array{Named{"SCHED_OTHER", 0},   Named{"SCHED_FIFO", 1}, Named{"SCHED_RR", 2},
               Named{"SCHED_BATCH", 3},   Named{"SCHED_ISO", 4},  Named{"SCHED_IDLE", 5},
               Named{"SCHED_DEADLINE", 6}};
constexpr auto kSchedulerFlags =
    std::array{Named{"SCHED_FLAG_RESET_ON_FORK", 0x01}, Named{"SCHED_FLAG_RECLAIM", 0x02},
               Named{"SCHED_FLAG_DL_OVERRUN", 0x04},    Named{"SCHED_FLAG_KEEP_POLICY", 0x08},
               Named{"SCHED_FLAG_KEEP_PARAMS", 0x10},   Named{"SCHED_FLAG_UTIL_CLAMP_MIN", 0x20},
               Named{"SCHED_FLAG_UTIL_CLAMP_MAX", 0x40}};
constexpr auto kIoClasses = std::array{Named{"IOPRIO_CLASS_RT", 1}, Named{"IOPRIO_CLASS_BE", 2},
                                       Named{"IOPRIO_CLASS_IDLE", 3}};
constexpr auto kMemoryModes = std::array{Named{"MPOL_DEFAULT", 0},
                                         Named{"MPOL_PREFERRED", 1},
                                         Named{"MPOL_BIND", 2},
                                         Named{"MPOL_INTERLEAVE", 3},
                                         Named{"MPOL_LOCAL", 4},
                                         Named{"MPOL_PREFERRED_MANY", 5},
                                         Named{"MPOL_WEIGHTED_INTERLEAVE", 6}};
constexpr auto kMemoryFlags =
    std::array{Named{"MPOL_F_NUMA_BALANCING", 1U << 13U}, Named{"MPOL_F_RELATIVE_NODES", 1U << 14U},
               Named{"MPOL_F_STATIC_NODES", 1U << 15U}};

constexpr std::uint32_t kDeadline = 6;
constexpr unsigned kBits = sizeof(unsigned long) * CHAR_BIT;
constexpr unsigned kMostCpus = 1U << 16U;

Result<std::uint32_t> value_of(std::span<const Named> table, const std::string& name,
                               std::string_view field) {
  for (const Named& entry : table) {
    if (entry.name == name) return entry.value;
  }
  return make_error(ErrorKind::kInvalidInput,
                    std::string(field) + ": unknown value \"" + name + "\"");
}

// What the kernel only calls an invalid argument.
Result<void> check_deadline(const oci::Scheduler& scheduler) {
  const auto refuse = [](const std::string& problem) {
    return make_error(ErrorKind::kInvalidInput,
                      "process.scheduler: sched_setattr: `SCHED_DEADLINE` " + problem);
  };
  if (!scheduler.runtime) return refuse("requires `runtime`");
  if (!scheduler.deadline) return refuse("requires `deadline`");
  const std::uint64_t runtime = *scheduler.runtime;
  const std::uint64_t deadline = *scheduler.deadline;
  const std::uint64_t period = scheduler.period.value_or(0);
  constexpr std::uint64_t kLeast = 1024;
  constexpr std::uint64_t kMost = (std::uint64_t{1} << 63U) - 1;
  if (runtime == 0) return refuse("runtime must be greater than 0");
  if (runtime < kLeast || runtime > kMost) {
    return refuse("runtime " + std::to_string(runtime) + " must be between " +
                  std::to_string(kLeast) + " and " + std::to_string(kMost));
  }
  if (runtime > deadline) {
    return refuse("runtime " + std::to_string(runtime) + " must be <= deadline " +
                  std::to_string(deadline));
  }
  if (period != 0 && deadline > period) {
    return refuse("deadline " + std::to_string(deadline) + " must be <= period " +
                  std::to_string(period));
  }
  return {};
}

Result<SchedulerAttributes> plan_scheduler(const oci::Scheduler& scheduler, bool cpuset_limited) {
  SchedulerAttributes plan;
  plan.policy = TRY(value_of(kPolicies, scheduler.policy, "process.scheduler.policy"));
  for (const std::string& flag : scheduler.flags) {
    plan.flags |= TRY(value_of(kSchedulerFlags, flag, "process.scheduler.flags"));
  }
  if (plan.policy == kDeadline && cpuset_limited) {
    return make_error(ErrorKind::kInvalidInput,
                      "process scheduler can't be used together with AllowedCPUs: "
                      "process.scheduler.policy SCHED_DEADLINE and linux.resources.cpu.cpus "
                      "exclude each other");
  }
  // Zeros are what a client writes that has no value for them.
  if (plan.policy != kDeadline &&
      (scheduler.runtime.value_or(0) != 0 || scheduler.deadline.value_or(0) != 0 ||
       scheduler.period.value_or(0) != 0)) {
    return make_error(ErrorKind::kInvalidInput,
                      "process.scheduler: runtime, deadline and period belong to SCHED_DEADLINE");
  }
  plan.nice = scheduler.nice.value_or(0);
  if (plan.nice < -20 || plan.nice > 19) {
    return make_error(ErrorKind::kInvalidInput, "process.scheduler.nice: not in -20..19");
  }
  const std::int32_t priority = scheduler.priority.value_or(0);
  const bool realtime = plan.policy == SCHED_FIFO || plan.policy == SCHED_RR;
  if (realtime ? priority < 1 || priority > 99 : priority != 0) {
    return make_error(ErrorKind::kInvalidInput,
                      "process.scheduler.priority: 1..99 with SCHED_FIFO and SCHED_RR, else 0");
  }
  plan.priority = static_cast<std::uint32_t>(priority);
  plan.runtime = scheduler.runtime.value_or(0);
  plan.deadline = scheduler.deadline.value_or(0);
  if (scheduler.policy == "SCHED_DEADLINE") TRY(check_deadline(scheduler));
  plan.period = scheduler.period.value_or(0);
  return plan;
}

Result<int> plan_io_priority(const oci::IoPriority& priority) {
  const std::uint32_t io_class =
      TRY(value_of(kIoClasses, priority.io_class, "process.ioPriority.class"));
  if (priority.priority < 0 || priority.priority > 7) {
    return make_error(ErrorKind::kInvalidInput, "process.ioPriority.priority: not in 0..7");
  }
  return static_cast<int>(io_class << 13U) | priority.priority;
}

Result<unsigned long> plan_personality(const oci::Personality& personality) {
  if (!personality.flags.empty()) {
    return make_error(ErrorKind::kInvalidInput,
                      "linux.personality.flags: no flag is defined by the specification");
  }
  if (personality.domain == "LINUX") return static_cast<unsigned long>(PER_LINUX);
  if (personality.domain == "LINUX32") return static_cast<unsigned long>(PER_LINUX32);
  return make_error(ErrorKind::kInvalidInput,
                    "linux.personality.domain: unknown value \"" + personality.domain + "\"");
}

Result<MemoryPolicyPlan> plan_memory_policy(const oci::MemoryPolicy& policy) {
  MemoryPolicyPlan plan;
  std::uint32_t mode = TRY_CONTEXT(value_of(kMemoryModes, policy.mode, "linux.memoryPolicy.mode"),
                                   "invalid memory policy mode");
  for (const std::string& flag : policy.flags) {
    mode |= TRY_CONTEXT(value_of(kMemoryFlags, flag, "linux.memoryPolicy.flags"),
                        "invalid memory policy flag");
  }
  plan.mode = static_cast<int>(mode);
  if (!policy.nodes.empty()) {
    plan.nodes = TRY_CONTEXT(parse_cpu_list(policy.nodes, "linux.memoryPolicy.nodes"),
                             "invalid memory policy node");
  }
  // What the kernel only calls an invalid argument; without nodes MPOL_PREFERRED means MPOL_LOCAL.
  const bool takes_none = policy.mode == "MPOL_DEFAULT" || policy.mode == "MPOL_LOCAL";
  if (takes_none ? !plan.nodes.empty() : plan.nodes.empty() && policy.mode != "MPOL_PREFERRED") {
    std::size_t count = 0;
    for (const auto word : plan.nodes) count += static_cast<std::size_t>(std::popcount(word));
    return make_error(ErrorKind::kInvalidInput,
                      "linux.memoryPolicy.nodes: " + policy.mode +
                          (takes_none ? " mode requires 0 nodes but got " + std::to_string(count)
                                      : " mode needs some"));
  }
  return plan;
}

Result<std::optional<CpuMask>> plan_affinity(const std::string& list, std::string_view field) {
  if (list.empty()) return std::optional<CpuMask>();
  return std::optional<CpuMask>(TRY(parse_cpu_list(list, field)));
}

Result<unsigned> parse_number(std::string_view text, std::string_view list,
                              std::string_view field) {
  const auto value = to_number<unsigned>(text);
  if (!value || *value >= kMostCpus) {
    return make_error(ErrorKind::kInvalidInput, std::string(field) + ": not a list of numbers: \"" +
                                                    std::string(list) + "\"");
  }
  return *value;
}

}  // namespace

Result<CpuMask> parse_cpu_list(std::string_view list, std::string_view field) {
  CpuMask mask;
  std::string_view rest = trim(list);
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = trim(rest.substr(0, comma));
    const std::size_t dash = part.find('-');
    const unsigned first = TRY(parse_number(part.substr(0, dash), list, field));
    const unsigned last = dash == std::string_view::npos
                              ? first
                              : TRY(parse_number(part.substr(dash + 1), list, field));
    if (last < first) {
      return make_error(
          ErrorKind::kInvalidInput,
          std::string(field) + ": a range runs backwards: \"" + std::string(list) + "\"");
    }
    if (mask.size() <= last / kBits) mask.resize(last / kBits + 1);
    for (unsigned number = first; number <= last; ++number) {
      mask[number / kBits] |= 1UL << (number % kBits);
    }
    if (comma == std::string_view::npos) return mask;
    rest.remove_prefix(comma + 1);
  }
}

Result<SchedulingPlan> plan_scheduling(const oci::Process& process, const oci::Linux& linux_,
                                       bool cpuset_limited) {
  SchedulingPlan plan;
  if (process.scheduler) plan.scheduler = TRY(plan_scheduler(*process.scheduler, cpuset_limited));
  if (process.io_priority) plan.io_priority = TRY(plan_io_priority(*process.io_priority));
  if (linux_.personality) plan.personality = TRY(plan_personality(*linux_.personality));
  if (linux_.memory_policy) plan.memory_policy = TRY(plan_memory_policy(*linux_.memory_policy));
  if (const auto& affinity = process.exec_cpu_affinity) {
    plan.exec_initial = TRY(plan_affinity(affinity->initial, "process.execCPUAffinity.initial"));
    plan.exec_final = TRY(plan_affinity(affinity->final_mask, "process.execCPUAffinity.final"));
  }
  return plan;
}

Result<void> apply_scheduling(const SchedulingPlan& plan) {
  if (plan.scheduler) {
    auto set = set_scheduler(*plan.scheduler);
    if (!set.ok()) {
      const auto policy = plan.scheduler->policy;
      const bool realtime = policy == SCHED_FIFO || policy == SCHED_RR;
      const bool refused = set.error().errno_value == EPERM && realtime;
      return set.release_error().with_context(
          refused ? "process.scheduler (realtime needs CAP_SYS_NICE and, on kernels with "
                    "RT_GROUP_SCHED, cpu.realtimeRuntime)"
                  : "process.scheduler");
    }
  }
  if (plan.io_priority) {
    TRY_CONTEXT(set_group_io_priority(*plan.io_priority), "process.ioPriority");
  }
  if (const auto& policy = plan.memory_policy) {
    TRY_CONTEXT(set_memory_policy(policy->mode, policy->nodes), "linux.memoryPolicy");
  }
  if (plan.personality && ::personality(*plan.personality) == -1) {
    return system_error("linux.personality: personality");
  }
  return {};
}

std::string mask_text(const CpuMask& mask) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned long word : mask) {
    for (unsigned bit = 0; bit < kBits; bit += 4) text += kDigits[(word >> bit) & 0xfU];
  }
  while (text.size() > 1 && text.back() == '0') text.pop_back();
  std::reverse(text.begin(), text.end());
  return "0x" + text;
}

Result<void> apply_cpu_affinity(const CpuMask& mask, int pid) { return set_affinity(pid, mask); }

Result<void> reset_cpu_affinity(int pid) {
  // The kernel cuts a mask to what the cpuset allows, so all ones is "as many as I may".
  const CpuMask all(8192 / kBits, ~0UL);
  return apply_cpu_affinity(all, pid);
}

CpuMask choose_processors(const CpuMask& allowed, std::size_t count, std::size_t first) {
  CpuMask chosen(allowed.size(), 0);
  const std::size_t bits = allowed.size() * kBits;
  for (std::size_t i = 0; i < bits && count > 0; ++i) {
    const std::size_t number = (first + i) % bits;
    const unsigned long bit = 1UL << (number % kBits);
    if ((allowed[number / kBits] & bit) == 0) continue;
    chosen[number / kBits] |= bit;
    --count;
  }
  return chosen;
}

Result<CpuMask> allowed_processors() { return affinity(); }

Result<void> stay_on_processors(std::size_t count) {
  const auto allowed = TRY(allowed_processors());
  const int here = ::sched_getcpu();
  return apply_cpu_affinity(
      choose_processors(allowed, count, here < 0 ? 0 : static_cast<std::size_t>(here)));
}

Result<void> bear_ordinary_children() {
  const int policy = ::sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
  if (policy != SCHED_FIFO && policy != SCHED_RR) return {};
  sched_param priority{};
  if (::sched_getparam(0, &priority) != 0 ||
      ::sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &priority) != 0) {
    return system_error("sched_setscheduler SCHED_RESET_ON_FORK");
  }
  return {};
}

}  // namespace langsbx::confine
