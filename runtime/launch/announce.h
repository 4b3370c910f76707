// Tells others which process was made.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace langsbx::runtime {

// Pid file and pidfd socket.
Result<void> announce(pid_t pid, const std::string& pid_file, const std::string& pidfd_socket,
                      std::string_view payload);

}  // namespace langsbx::runtime
