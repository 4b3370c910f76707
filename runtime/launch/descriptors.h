// Which of the caller's descriptors the program gets.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::runtime {

// Called before anything is opened that could fall into the caller's range: gives the numbers of
// LISTEN_FDS and --preserve-fds (3, 4, ...) and marks all others from 3 on close-on-exec, so that
// what was leaked to us never reaches the container (CVE-2024-21626). What is close-on-exec already
// is ours (a log file) and stays so. Two things differ where we act as crun: LISTEN_FDS counts
// whatever LISTEN_PID says, and a number that is not open is passed over instead of an error.
Result<std::vector<int>> take_descriptors(int preserve_fds, bool acts_as_crun);

// Those that a container's waiting init must not hold open (somebody reads a pipe to its end): what
// the caller left open beyond `taken`. To be asked before take_descriptors() marks them.
Result<std::vector<int>> leaked_descriptors(int preserve_fds, bool acts_as_crun);

// LISTEN_FDS, LISTEN_PID and LISTEN_FDNAMES for the program, when LISTEN_FDS counts.
Result<void> add_listen_variables(std::vector<std::string>& env, bool acts_as_crun);

}  // namespace langsbx::runtime
