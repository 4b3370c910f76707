// Signals to what is in a cgroup, by its list of numbers.
#pragma once

#include <sys/types.h>

#include <functional>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::cgroup {

using Members = std::function<Result<std::vector<pid_t>>()>;

// Each that `list` names. Between the list and the signal a number may pass to a process that has
// nothing to do with the cgroup: who is signalled is held first, then the list is read again.
// Gives how many the first list named.
Result<std::size_t> signal_members(const Members& list, int signal);

}  // namespace langsbx::cgroup
