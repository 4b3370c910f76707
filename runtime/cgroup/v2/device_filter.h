// Loads a device program into the kernel and attaches it to a cgroup2 directory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::cgroup::v2 {

Result<UniqueFd> load_device_program(const std::vector<std::uint64_t>& program);

// With BPF_F_ALLOW_MULTI, so that programs of systemd and of parents stay in force. `replace`: ours
// from an earlier call goes, in one step where the kernel can (5.6); an empty program only removes.
Result<void> attach_device_program(int directory, const std::vector<std::uint64_t>& program,
                                   bool replace);

}  // namespace langsbx::cgroup::v2
