// The tables behind seccomp_names.h.
#include "runtime/confine/seccomp_names.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <seccomp.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace langsbx::confine {
namespace {

constexpr auto kActions = std::array{
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
constexpr auto kArchitectures = std::array{
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
constexpr auto kFlags = std::array{
    Named{"SECCOMP_FILTER_FLAG_TSYNC", SECCOMP_FILTER_FLAG_TSYNC},
    Named{"SECCOMP_FILTER_FLAG_LOG", SECCOMP_FILTER_FLAG_LOG},
    Named{"SECCOMP_FILTER_FLAG_SPEC_ALLOW", SECCOMP_FILTER_FLAG_SPEC_ALLOW},
    Named{"SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV", kWaitKillableReceive},
};

using Operator = std::pair<std::string_view, Comparison>;
constexpr auto kOperators = std::array{
    Operator{"SCMP_CMP_NE", Comparison::kNotEqual},
    Operator{"SCMP_CMP_LT", Comparison::kLess},
    Operator{"SCMP_CMP_LE", Comparison::kLessOrEqual},
    Operator{"SCMP_CMP_EQ", Comparison::kEqual},
    Operator{"SCMP_CMP_GE", Comparison::kGreaterOrEqual},
    Operator{"SCMP_CMP_GT", Comparison::kGreater},
    Operator{"SCMP_CMP_MASKED_EQ", Comparison::kMaskedEqual},
};

struct Doorway {
  std::string_view name;
  std::uint32_t entry;
  std::uint32_t direct;
};

// <linux/net.h> and <linux/ipc.h>; the direct numbers came with Linux 4.3 and 5.1.
constexpr auto kSocketCalls = std::array{
    Doorway{"socket", 1, 359},      Doorway{"bind", 2, 361},        Doorway{"connect", 3, 362},
    Doorway{"listen", 4, 363},      Doorway{"accept", 5, 0},        Doorway{"getsockname", 6, 367},
    Doorway{"getpeername", 7, 368}, Doorway{"socketpair", 8, 360},  Doorway{"send", 9, 0},
    Doorway{"recv", 10, 0},         Doorway{"sendto", 11, 369},     Doorway{"recvfrom", 12, 371},
    Doorway{"shutdown", 13, 373},   Doorway{"setsockopt", 14, 366}, Doorway{"getsockopt", 15, 365},
    Doorway{"sendmsg", 16, 370},    Doorway{"recvmsg", 17, 372},    Doorway{"accept4", 18, 364},
    Doorway{"recvmmsg", 19, 337},   Doorway{"sendmmsg", 20, 345},
};
constexpr auto kIpcCalls = std::array{
    Doorway{"semop", 1, 0},      Doorway{"semget", 2, 393},  Doorway{"semctl", 3, 394},
    Doorway{"semtimedop", 4, 0}, Doorway{"msgsnd", 11, 400}, Doorway{"msgrcv", 12, 401},
    Doorway{"msgget", 13, 399},  Doorway{"msgctl", 14, 402}, Doorway{"shmat", 21, 397},
    Doorway{"shmdt", 22, 398},   Doorway{"shmget", 23, 395}, Doorway{"shmctl", 24, 396},
};

constexpr auto kRecentSyscalls = std::array{
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

std::optional<Comparison> find_operator(std::string_view name) {
  const auto* const at = std::find_if(kOperators.begin(), kOperators.end(),
                                      [name](const auto& entry) { return entry.first == name; });
  if (at == kOperators.end()) return std::nullopt;
  return at->second;
}

std::optional<Door> find_door(std::uint32_t architecture, std::string_view call) {
  if (architecture != SCMP_ARCH_X86) return std::nullopt;
  constexpr std::uint32_t kSocketCall = 102;
  constexpr std::uint32_t kIpc = 117;
  for (const Doorway& way : kSocketCalls) {
    if (way.name == call) return Door{kSocketCall, way.entry, 0xffffffffU, way.direct};
  }
  for (const Doorway& way : kIpcCalls) {
    if (way.name == call) return Door{kIpc, way.entry, 0xffffU, way.direct};
  }
  return std::nullopt;
}

std::optional<std::uint32_t> find_recent_syscall(std::string_view name) {
  return find(kRecentSyscalls, name);
}

std::uint32_t kernel_architecture(std::uint32_t architecture) {
  return architecture == SCMP_ARCH_X32 ? SCMP_ARCH_X86_64 : architecture;
}

bool is_64_bit(std::uint32_t architecture) {
  return (kernel_architecture(architecture) & __AUDIT_ARCH_64BIT) != 0;
}

std::optional<std::uint32_t> find_call_number(std::uint32_t architecture, const std::string& call) {
  constexpr std::uint32_t kX32Bit = 0x40000000U;
  if (const auto recent = find_recent_syscall(call)) {
    return architecture == SCMP_ARCH_X32 ? *recent | kX32Bit : *recent;
  }
  const int number = ::seccomp_syscall_resolve_name_arch(architecture, call.c_str());
  if (number >= 0) return static_cast<std::uint32_t>(number);
  // libseccomp says that such a call has no number, whether or not it has one besides its door.
  const auto door = find_door(architecture, call);
  if (door && door->direct != 0) return door->direct;
  return std::nullopt;
}

std::string_view recent_syscall_name(std::uint32_t number) {
  const auto* at = std::find_if(kRecentSyscalls.begin(), kRecentSyscalls.end(),
                                [number](const Named& entry) { return entry.value == number; });
  return at == kRecentSyscalls.end() ? std::string_view{} : at->name;
}

}  // namespace langsbx::confine
