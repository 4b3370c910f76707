// The file that this process executes, and how it is kept from being written (CVE-2019-5736): a
// process of a container that reaches /proc/PID/exe of ours reaches the host's file.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx {

// Where the binary lies on the host, also while we execute a protected twin of it.
std::string own_binary_path();
// Nobody can write it through /proc/PID/exe: it is on a read-only mount, or a sealed copy.
bool is_own_binary_protected();
// Returns at once when it is protected, or when its user may not write it anyway (then no
// container of his may). Otherwise executes the same command line again, from a detached read-only
// clone of the binary's mount (Linux 5.12, CAP_SYS_ADMIN) or from a sealed copy in memory, and does
// not return. The descriptors in `kept` stay open, and `also`. Nothing may have been made yet that
// an execve would leave behind.
Result<void> protect_own_binary(const std::vector<int>& kept, int also = -1);

}  // namespace langsbx
