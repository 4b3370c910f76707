// Watching a running sandbox: streams, limits that only a supervisor can hold, signals.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "runtime/base/result.h"
#include "runtime/cgroup/cgroup.h"
#include "runtime/execute/request.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/unique_fd.h"
#include "runtime/reaper.h"

namespace langsbx::execute {

// Our ends of the program's pipes, and where they lead.
struct Streams {
  UniqueFd in, out, err;
  int source = -1;       // read for `in`; -1: the program's stdin is empty
  bool capture = false;  // keep what comes instead of writing it to 1 and 2
};

// What a supervisor saw; verdict.h makes a status of it.
struct Outcome {
  std::optional<runtime::ProgramEnd> end;  // absent: killed before it ended
  KillReason cut = KillReason::kNone;      // why we ended it
  bool oom = false;
  bool disk_full = false;
  std::uint64_t forks_refused = 0;
  std::string out, err;
  bool truncated = false;
  std::uint64_t wall_ms = 0;
  Usage usage;
};

// Blocks the signals that are to be passed on; made before the launch, so that none is lost.
Result<UniqueFd> catch_signals();

struct Watched {
  ChildProcess* init = nullptr;
  int report = -1;
  int signals = -1;
  const cgroup::Cgroup* group = nullptr;
  const Limits* limits = nullptr;
};
// Returns when every process of the sandbox is gone.
Result<Outcome> watch(const Watched& watched, Streams streams);

}  // namespace langsbx::execute
