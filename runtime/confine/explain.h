// Why was it denied? Finds which layer, path, right, port or system call refused.
//
// With --explain the container's init stops itself before execve and is traced from outside (the
// tracer is in no Landlock domain and under no filter). Every system call that fails with EPERM,
// EACCES, EXDEV, ENOSYS or another errno of a filter is explained from the plans themselves: the
// filters are evaluated on its number and arguments, the Landlock layers on the file it names.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/confine/landlock.h"
#include "runtime/confine/seccomp.h"

namespace langsbx::confine {

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

struct ExplainInputs {
  const SeccompPlan* seccomp = nullptr;
  const LandlockPlan* landlock = nullptr;
};

// Traces `pid` and all its descendants until the last of them ends. Returns pid's wait status.
// `on_denial` is called at the first of each kind of denial.
struct ExplainResult {
  int wait_status = 0;
  std::vector<Denial> denials;
};
Result<ExplainResult> explain_run(pid_t pid, const ExplainInputs& inputs,
                                  const std::function<void(const Denial&)>& on_denial);

std::string denial_text(const Denial& denial);
std::string denial_json(const Denial& denial);

}  // namespace langsbx::confine
