// seccomp(2): what the kernel can, and installing one filter.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <span>

#include "runtime/base/result.h"

namespace langsbx {

bool seccomp_action_available(std::uint32_t action);  // SECCOMP_RET_*
bool seccomp_flag_available(std::uint32_t flag);      // SECCOMP_FILTER_FLAG_*

// The listener's descriptor when `flags` has NEW_LISTENER, else 0. Makes one system call and
// nothing else.
int seccomp_set_filter(std::span<const sock_filter> program, std::uint32_t flags);

}  // namespace langsbx
