// Runs a seccomp filter in user space: what would the kernel answer to this call?
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstdint>
#include <span>

namespace langsbx::confine {

// The SECCOMP_RET_* value. A program that the kernel would not have accepted gives KILL_PROCESS.
std::uint32_t evaluate_filter(std::span<const sock_filter> program, const seccomp_data& call);

// AUDIT_ARCH_* of this build.
std::uint32_t native_audit_arch();
// True when the answer lets the call happen without anybody being asked.
bool filter_allows(std::uint32_t answer);

}  // namespace langsbx::confine
