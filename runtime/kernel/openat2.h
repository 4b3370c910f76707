// openat2(2) itself; the ways of opening that most need are in path.h.
#pragma once

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/types.h>

#include <cstdint>

#include "runtime/kernel/unique_fd.h"

namespace langsbx {

// Close-on-exec; `resolve` is made of RESOLVE_*. Invalid where it failed, errno says why: ENOSYS
// before Linux 5.6.
UniqueFd open_resolved(int directory, const char* path, int flags, std::uint64_t resolve,
                       mode_t mode = 0);

}  // namespace langsbx
