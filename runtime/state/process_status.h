// Is a recorded process still the one that was recorded? From /proc/<pid>/stat.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace langsbx::state {

struct ProcessStat {
  char state = '?';              // 'Z', 'X': dead
  std::uint64_t start_time = 0;  // clock ticks since boot
};
// Pure. The program's name may hold spaces and parentheses.
std::optional<ProcessStat> parse_process_stat(std::string_view text);

// For Record::init_start_time.
Result<std::uint64_t> process_start_time(pid_t pid, const std::string& proc = "/proc");
// False only when it is known to be gone, or another one. For what is told of a container: one that
// can't be looked at has not stopped.
bool may_be_alive(pid_t pid, std::uint64_t start_time, const std::string& proc = "/proc");
// True for the same process (pids are reused, start times are not) that is no zombie.
bool is_process_alive(pid_t pid, std::uint64_t start_time, const std::string& proc = "/proc");

}  // namespace langsbx::state
