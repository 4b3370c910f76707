// Sets of processors; calls that make uncounted memory.
#include "runtime/execute/without_cgroup.h"

#include <sys/mman.h>

#include <bit>
#include <cerrno>
#include <numeric>

#include "runtime/confine/scheduling.h"

namespace langsbx::execute {
namespace {

confine::SeccompSource allow_all(std::string name) {
  confine::SeccompSource source;
  source.name = std::move(name);
  source.profile.default_action = "SCMP_ACT_ALLOW";
  return source;
}

// What is written to or unmapped from shared memory stays in it and is resident in no process, so
// nobody who adds up processes would see it. A page of it, for a counter between parent and child,
// is let through.
confine::SeccompSource counted_memory() {
  constexpr std::uint64_t kShared = MAP_SHARED | MAP_ANONYMOUS;
  constexpr std::uint64_t kPage = 4096;
  constexpr std::uint32_t kLength = 1;
  constexpr std::uint32_t kFlags = 3;
  auto source = allow_all("counted-memory");
  source.profile.syscalls.push_back(
      {{"shmget", "memfd_create", "memfd_secret"}, "SCMP_ACT_ERRNO", ENOSYS, {}});
  source.profile.syscalls.push_back(
      {{"mmap"},
       "SCMP_ACT_ERRNO",
       ENOMEM,
       {{kLength, kPage, 0, "SCMP_CMP_GT"}, {kFlags, kShared, kShared, "SCMP_CMP_MASKED_EQ"}}});
  return source;
}

}  // namespace

Result<void> hold_without_cgroup(const Program& program, plan::ProgramPlan& plan,
                                 std::vector<confine::SeccompSource>& filters) {
  if (program.has_cgroup) return {};
  if (program.wants_exact_cpus && program.limits.cpus_milli % 1000 != 0) {
    return make_error(ErrorKind::kUnsupported,
                      "--cpus: a part of a processor needs a cgroup, and there is none here; whole "
                      "ones can be had");
  }
  filters.push_back(counted_memory());
  const auto allowed = TRY(confine::allowed_processors());
  const auto there = std::accumulate(
      allowed.begin(), allowed.end(), std::size_t{0},
      [](auto sum, auto word) { return sum + static_cast<std::size_t>(std::popcount(word)); });
  const auto count = static_cast<std::size_t>((program.limits.cpus_milli + 999) / 1000);
  if (count >= there) return {};
  plan.processors = count;
  filters.push_back(allow_all("few-processors"));
  filters.back().profile.syscalls.push_back({{"sched_setaffinity"}, "SCMP_ACT_ERRNO", EPERM, {}});
  return {};
}

bool has_few_devices(const Program& program) {
  return program.tier == Tier::kContainer && (program.rootless || !program.has_cgroup);
}

void leave_out_devices(const Program& program, std::vector<plan::DeviceStep>& devices) {
  if (!has_few_devices(program)) return;
  std::erase_if(devices, [](const plan::DeviceStep& device) {
    return device.path == "/dev/zero" || device.path == "/dev/random";
  });
}

}  // namespace langsbx::execute
