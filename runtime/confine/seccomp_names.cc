// The tables behind seccomp_names.h.
#include "runtime/confine/seccomp_names.h"

#include <linux/seccomp.h>
#include <seccomp.h>

#include <algorithm>
#include <array>

namespace langsbx::confine {
namespace {

constexpr std::array kActions = {
    SeccompAction{"SCMP_ACT_KILL_PROCESS", SECCOMP_RET_KILL_PROCESS, 7, false},
    SeccompAction{"SCMP_ACT_KILL_THREAD", SECCOMP_RET_KILL_THREAD, 6, false},
    SeccompAction{"SCMP_ACT_KILL", SECCOMP_RET_KILL_THREAD, 6, false},
    SeccompAction{"SCMP_ACT_TRAP", SECCOMP_RET_TRAP, 5, false},
    SeccompAction{"SCMP_ACT_ERRNO", SECCOMP_RET_ERRNO, 4, true},
    SeccompAction{"SCMP_ACT_NOTIFY", SECCOMP_RET_USER_NOTIF, 3, false},
    SeccompAction{"SCMP_ACT_TRACE", SECCOMP_RET_TRACE, 2, true},
    SeccompAction{"SCMP_ACT_LOG", SECCOMP_RET_LOG, 1, false},
    SeccompAction{"SCMP_ACT_ALLOW", SECCOMP_RET_ALLOW, 0, false},
};

struct Named {
  std::string_view name;
  std::uint32_t value;
};

// The specification's list; those that came with libseccomp 2.6 are zero with an older one.
#ifndef SCMP_ARCH_LOONGARCH64
#define SCMP_ARCH_LOONGARCH64 0
#endif
#ifndef SCMP_ARCH_M68K
#define SCMP_ARCH_M68K 0
#endif
#ifndef SCMP_ARCH_SH
#define SCMP_ARCH_SH 0
#endif
#ifndef SCMP_ARCH_SHEB
#define SCMP_ARCH_SHEB 0
#endif
constexpr std::array kArchitectures = {
    Named{"SCMP_ARCH_X86", SCMP_ARCH_X86},
    Named{"SCMP_ARCH_X86_64", SCMP_ARCH_X86_64},
    Named{"SCMP_ARCH_X32", SCMP_ARCH_X32},
    Named{"SCMP_ARCH_ARM", SCMP_ARCH_ARM},
    Named{"SCMP_ARCH_AARCH64", SCMP_ARCH_AARCH64},
    Named{"SCMP_ARCH_LOONGARCH64", SCMP_ARCH_LOONGARCH64},
    Named{"SCMP_ARCH_M68K", SCMP_ARCH_M68K},
    Named{"SCMP_ARCH_MIPS", SCMP_ARCH_MIPS},
    Named{"SCMP_ARCH_MIPS64", SCMP_ARCH_MIPS64},
    Named{"SCMP_ARCH_MIPS64N32", SCMP_ARCH_MIPS64N32},
    Named{"SCMP_ARCH_MIPSEL", SCMP_ARCH_MIPSEL},
    Named{"SCMP_ARCH_MIPSEL64", SCMP_ARCH_MIPSEL64},
    Named{"SCMP_ARCH_MIPSEL64N32", SCMP_ARCH_MIPSEL64N32},
    Named{"SCMP_ARCH_PPC", SCMP_ARCH_PPC},
    Named{"SCMP_ARCH_PPC64", SCMP_ARCH_PPC64},
    Named{"SCMP_ARCH_PPC64LE", SCMP_ARCH_PPC64LE},
    Named{"SCMP_ARCH_S390", SCMP_ARCH_S390},
    Named{"SCMP_ARCH_S390X", SCMP_ARCH_S390X},
    Named{"SCMP_ARCH_PARISC", SCMP_ARCH_PARISC},
    Named{"SCMP_ARCH_PARISC64", SCMP_ARCH_PARISC64},
    Named{"SCMP_ARCH_RISCV64", SCMP_ARCH_RISCV64},
    Named{"SCMP_ARCH_SH", SCMP_ARCH_SH},
    Named{"SCMP_ARCH_SHEB", SCMP_ARCH_SHEB},
};

constexpr std::uint32_t kWaitKillableReceive = 1U << 5U;  // newer than the distribution's header
constexpr std::array kFlags = {
    Named{"SECCOMP_FILTER_FLAG_TSYNC", SECCOMP_FILTER_FLAG_TSYNC},
    Named{"SECCOMP_FILTER_FLAG_LOG", SECCOMP_FILTER_FLAG_LOG},
    Named{"SECCOMP_FILTER_FLAG_SPEC_ALLOW", SECCOMP_FILTER_FLAG_SPEC_ALLOW},
    Named{"SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV", kWaitKillableReceive},
};

constexpr std::array kOperators = {
    Named{"SCMP_CMP_NE", SCMP_CMP_NE},
    Named{"SCMP_CMP_LT", SCMP_CMP_LT},
    Named{"SCMP_CMP_LE", SCMP_CMP_LE},
    Named{"SCMP_CMP_EQ", SCMP_CMP_EQ},
    Named{"SCMP_CMP_GE", SCMP_CMP_GE},
    Named{"SCMP_CMP_GT", SCMP_CMP_GT},
    Named{"SCMP_CMP_MASKED_EQ", SCMP_CMP_MASKED_EQ},
};

constexpr std::array kRecentSyscalls = {
    Named{"mount_setattr", 442},
    Named{"quotactl_fd", 443},
    Named{"landlock_create_ruleset", 444},
    Named{"landlock_add_rule", 445},
    Named{"landlock_restrict_self", 446},
    Named{"memfd_secret", 447},
    Named{"process_mrelease", 448},
    Named{"futex_waitv", 449},
    Named{"set_mempolicy_home_node", 450},
    Named{"cachestat", 451},
    Named{"fchmodat2", 452},
    Named{"map_shadow_stack", 453},
    Named{"futex_wake", 454},
    Named{"futex_wait", 455},
    Named{"futex_requeue", 456},
    Named{"statmount", 457},
    Named{"listmount", 458},
    Named{"lsm_get_self_attr", 459},
    Named{"lsm_set_self_attr", 460},
    Named{"lsm_list_modules", 461},
    Named{"mseal", 462},
    Named{"setxattrat", 463},
    Named{"getxattrat", 464},
    Named{"listxattrat", 465},
    Named{"removexattrat", 466},
    Named{"open_tree_attr", 467},
    Named{"file_getattr", 468},
    Named{"file_setattr", 469},
    Named{"listns", 470},
};

std::optional<std::uint32_t> find(std::span<const Named> table, std::string_view name) {
  const auto at = std::find_if(table.begin(), table.end(),
                               [name](const Named& entry) { return entry.name == name; });
  if (at == table.end()) return std::nullopt;
  return at->value;
}

}  // namespace

const SeccompAction* find_action(std::string_view name) {
  const auto* at = std::find_if(kActions.begin(), kActions.end(),
                                [name](const SeccompAction& entry) { return entry.name == name; });
  return at == kActions.end() ? nullptr : at;
}

std::uint32_t action_value(const SeccompAction& action, std::uint32_t errno_value) {
  return action.carries_errno ? action.kernel | (errno_value & SECCOMP_RET_DATA) : action.kernel;
}

std::optional<std::uint32_t> find_architecture(std::string_view name) {
  return find(kArchitectures, name);
}
std::optional<std::uint32_t> find_flag(std::string_view name) { return find(kFlags, name); }

std::optional<int> find_operator(std::string_view name) {
  const auto found = find(kOperators, name);
  if (!found) return std::nullopt;
  return static_cast<int>(*found);
}

std::optional<std::uint32_t> find_recent_syscall(std::string_view name) {
  return find(kRecentSyscalls, name);
}

std::string_view recent_syscall_name(std::uint32_t number) {
  const auto* at = std::find_if(kRecentSyscalls.begin(), kRecentSyscalls.end(),
                                [number](const Named& entry) { return entry.value == number; });
  return at == kRecentSyscalls.end() ? std::string_view{} : at->name;
}

}  // namespace langsbx::confine
