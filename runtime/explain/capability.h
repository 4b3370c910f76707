// Which capability a refused system call would have needed.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace langsbx::explain {

// "CAP_SYS_TIME", when the call asks for one that the process has not; else empty.
std::string missing_capability(pid_t pid, std::string_view syscall);

}  // namespace langsbx::explain
