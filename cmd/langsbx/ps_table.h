// Picks a container's processes out of what the host's ps prints.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::cmd {

// The header and the lines whose PID column names one of `pids`. Refused without such a column.
Result<std::string> filter_ps(std::string_view output, const std::vector<pid_t>& pids);

}  // namespace langsbx::cmd
