// config.json's seccomp words and what they mean to libseccomp and to the kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/confine/seccomp_judge.h"

namespace langsbx::confine {

struct SeccompAction {
  std::string_view name;
  std::uint32_t kernel = 0;  // SECCOMP_RET_*; the data (errno) is or'ed in by with_errno
  int strictness = 0;        // higher refuses more; equal: neither is stricter
  bool carries_errno = false;
};
const SeccompAction* find_action(std::string_view name);
// SCMP_ACT_* for libseccomp: the kernel's action with its data.
std::uint32_t action_value(const SeccompAction& action, std::uint32_t errno_value);

// Zero: a name of the specification that this libseccomp can't compile for (leaving it out is
// stricter: calls of that architecture are killed). Absent: no such name.
std::optional<std::uint32_t> find_architecture(std::string_view name);
std::optional<std::uint32_t> find_flag(std::string_view name);  // SECCOMP_FILTER_FLAG_*
std::optional<Comparison> find_operator(std::string_view name);

// AUDIT_ARCH_*, as the kernel tells it to a filter: x32 has that of x86-64.
std::uint32_t kernel_architecture(std::uint32_t architecture);
bool is_64_bit(std::uint32_t architecture);  // its arguments

// A call that i386 also, or only, has behind socketcall(2) or ipc(2).
struct Door {
  std::uint32_t number = 0;  // of the door
  std::uint32_t entry = 0;   // what its first argument is for this call,
  std::uint32_t mask = 0;    // in these bits: ipc ignores the upper ones
  std::uint32_t direct = 0;  // the call's own number, 0 where it has none
};
std::optional<Door> find_door(std::uint32_t architecture, std::string_view call);

// System calls newer than Debian's libseccomp. Since Linux 5.1 a call has one number everywhere.
std::optional<std::uint32_t> find_recent_syscall(std::string_view name);
// Absent where the call has no number of its own there. x32's have bit 30 set.
std::optional<std::uint32_t> find_call_number(std::uint32_t architecture, const std::string& call);
std::string_view recent_syscall_name(std::uint32_t number);  // empty: not in the table

}  // namespace langsbx::confine
