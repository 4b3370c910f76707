// Why was it denied? Finds which layer, path, right, port or system call refused.
//
// The program is traced from outside (by a process that is in no Landlock domain and under no
// filter). Every system call that fails with EPERM, EACCES, EROFS, EXDEV, ENOSYS or another errno
// of a filter is explained from the plans themselves: the filters are evaluated on its number and
// arguments, the Landlock layers on the file it names.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/confine/landlock.h"
#include "runtime/confine/seccomp.h"

namespace langsbx::explain {

struct Denial {
  pid_t pid = 0;
  std::string program;  // comm
  std::string layer;    // "seccomp linux.seccomp", "landlock program", "kernel" (neither of ours)
  std::string syscall;  // "openat"
  std::string object;   // path, "tcp port 443", "pid 1", or the deciding argument
  std::string right;    // "write_file"; empty for seccomp
  int errno_value = 0;
  std::uint64_t count = 1;  // equal denials are counted, not repeated
};

struct Watched {
  pid_t pid = 0;
  const confine::SeccompPlan* seccomp = nullptr;
  const confine::LandlockPlan* landlock = nullptr;
  // The program is made by `pid` (runtime/launch/reaper.h, runtime/launch/stage.h), and is not
  // `pid` itself.
  bool child_is_program = false;
};

struct Events {
  std::function<void()> attached;                // every later system call is watched
  std::function<void(const Denial&)> on_denial;  // at the first of each kind
};

// Traces the process and all its descendants until the last of them ends, or SIGTERM comes after
// the first has. Blocks SIGCHLD and SIGTERM of the calling thread.
struct Explanation {
  int wait_status = 0;  // of the process itself
  std::vector<Denial> denials;
};
Result<Explanation> explain(const Watched& watched, const Events& events);

std::string denial_text(const Denial& denial);
std::string denial_json(const Denial& denial);
Result<Denial> denial_from_json(std::string_view json);

}  // namespace langsbx::explain
