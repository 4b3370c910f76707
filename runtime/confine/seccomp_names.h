// config.json's seccomp words and what they mean to libseccomp and to the kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

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
std::optional<int> find_operator(std::string_view name);        // scmp_compare

// System calls newer than Debian's libseccomp. Since Linux 5.1 a call has one number everywhere.
std::optional<std::uint32_t> find_recent_syscall(std::string_view name);
std::string_view recent_syscall_name(std::uint32_t number);  // empty: not in the table

}  // namespace langsbx::confine
