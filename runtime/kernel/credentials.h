// User and groups of this process, each set checked.
#pragma once

#include <sys/types.h>

#include <vector>

#include "runtime/base/result.h"

namespace langsbx {

// Real, effective and saved at once. The kernel's own calls: the C library's signal every thread,
// and its machinery for that is in the way between clone and execve.
Result<void> set_groups(const std::vector<gid_t>& groups);
Result<void> set_group(gid_t gid);
Result<void> set_user(uid_t uid);

}  // namespace langsbx
