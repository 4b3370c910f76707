// Masks of processors.
#include "runtime/execute/few_processors.h"

#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

namespace langsbx::execute {
namespace {

constexpr std::size_t kBits = sizeof(unsigned long) * CHAR_BIT;  // NOLINT: the kernel's type
constexpr std::size_t kMost = 8192;

std::vector<std::size_t> members(const confine::CpuMask& mask) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < mask.size() * kBits; ++i) {
    if ((mask[i / kBits] >> (i % kBits) & 1U) != 0) numbers.push_back(i);
  }
  return numbers;
}

}  // namespace

confine::CpuMask choose_processors(const confine::CpuMask& allowed, std::size_t count,
                                   std::size_t first) {
  const auto numbers = members(allowed);
  if (numbers.size() <= count) return allowed;
  confine::CpuMask chosen(allowed.size(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = numbers[(first + i) % numbers.size()];
    chosen[number / kBits] |= 1UL << (number % kBits);
  }
  return chosen;
}

Result<void> hold_processors(const Program& program, plan::ProgramPlan& plan,
                             std::vector<confine::SeccompSource>& filters) {
  if (program.has_cgroup) return {};
  confine::CpuMask allowed(kMost / kBits, 0);
  if (::sched_getaffinity(0, kMost / CHAR_BIT, reinterpret_cast<cpu_set_t*>(allowed.data())) != 0) {
    return system_error("sched_getaffinity");
  }
  const auto count = static_cast<std::size_t>((program.limits.cpus_milli + 999) / 1000);
  // Runs side by side don't all take the first ones.
  auto chosen = choose_processors(allowed, count, static_cast<std::size_t>(::getpid()));
  if (chosen == allowed) return {};
  plan.cpu_affinity_final = std::move(chosen);
  confine::SeccompSource source;
  source.name = "few-processors";
  source.profile.default_action = "SCMP_ACT_ALLOW";
  source.profile.syscalls.push_back({{"sched_setaffinity"}, "SCMP_ACT_ERRNO", EPERM, {}});
  filters.push_back(std::move(source));
  return {};
}

}  // namespace langsbx::execute
