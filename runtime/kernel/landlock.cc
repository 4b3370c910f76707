// landlock_create_ruleset, landlock_add_rule, landlock_restrict_self.
#include "runtime/kernel/landlock.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace langsbx {
namespace {

// Own structures and numbers: the distribution's header stops at ABI 2.
constexpr std::uint32_t kAskVersion = 1U << 0U;
constexpr std::uint32_t kAskErrata = 1U << 1U;
constexpr int kRulePathBeneath = 1;
constexpr int kRuleNetPort = 2;

struct __attribute__((packed)) PathBeneath {
  std::uint64_t allowed_access;
  std::int32_t parent_fd;
};

struct NetPort {
  std::uint64_t allowed_access;
  std::uint64_t port;
};

std::size_t ruleset_size(int abi) {
  if (abi >= 6) return sizeof(LandlockRuleset);
  if (abi >= 4) return offsetof(LandlockRuleset, scoped);
  return offsetof(LandlockRuleset, handled_net);
}

}  // namespace

Result<int> ask_landlock_abi() {
  const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  if (abi >= 0) return static_cast<int>(abi);
  if (errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM || errno == EACCES) return 0;
  return system_error("landlock_create_ruleset: ask for the ABI");
}

int landlock_abi() { return ask_landlock_abi().value_or(0); }

std::uint32_t landlock_errata() {
  const long errata = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskErrata);
  return errata < 0 ? 0 : static_cast<std::uint32_t>(errata);
}

Result<UniqueFd> landlock_create_ruleset(const LandlockRuleset& ruleset, int abi) {
  UniqueFd fd(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &ruleset, ruleset_size(abi), 0U)));
  if (!fd) return system_error("landlock_create_ruleset");
  return fd;
}

Result<void> landlock_allow_beneath(int ruleset, int parent, std::uint64_t access) {
  const PathBeneath rule{access, parent};
  if (::syscall(SYS_landlock_add_rule, ruleset, kRulePathBeneath, &rule, 0U) != 0) {
    return system_error("landlock_add_rule");
  }
  return {};
}

Result<void> landlock_allow_port(int ruleset, std::uint64_t port, std::uint64_t access) {
  const NetPort rule{access, port};
  if (::syscall(SYS_landlock_add_rule, ruleset, kRuleNetPort, &rule, 0U) != 0) {
    return system_error("landlock_add_rule");
  }
  return {};
}

Result<void> landlock_restrict_self(int ruleset, std::uint32_t flags) {
  if (::syscall(SYS_landlock_restrict_self, ruleset, flags) != 0) {
    return system_error("landlock_restrict_self");
  }
  return {};
}

}  // namespace langsbx
