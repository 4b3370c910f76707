// Watching a running sandbox: streams, limits that only a supervisor can hold, signals.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/egress/proxy.h"
#include "runtime/execute/events.h"
#include "runtime/execute/gauge.h"
#include "runtime/execute/request.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/unique_fd.h"
#include "runtime/launch/reaper.h"

namespace langsbx::execute {

// Our ends of the program's pipes, and where they lead.
struct Streams {
  UniqueFd in, out, err;
  int source = -1;        // read for `in`; -1: the program's stdin is empty
  bool terminal = false;  // in and out are one
  bool capture = false;   // keep what comes instead of writing it to 1 and 2
};

// What a supervisor saw; verdict.h makes a status of it.
struct Outcome {
  std::optional<runtime::ProgramEnd> end;  // absent: killed before it ended
  int error = 0;  // errno: how it ended is not known, as process 1 could not look after it
  KillReason cut = KillReason::kNone;  // why we ended it
  bool oom = false;                    // the kernel killed for the cgroup's memory limit
  bool memory_passed = false;          // without a cgroup: more was resident than allowed
  bool disk_full = false;
  std::uint64_t forks_refused = 0;
  std::vector<std::string> hosts_refused;  // by the proxy, with the reason
  std::string out, err;
  bool truncated = false;
  std::uint64_t wall_ms = 0;
  Usage usage;
};

// Blocks the signals that are to be passed on; made before the launch, so that none is lost.
Result<UniqueFd> catch_signals();
// From here on they end us again.
void release_signals();

struct DiskUse {
  std::uint64_t bytes = 0;
  bool full = false;  // blocks or inodes
};

struct Watched {
  ChildProcess* init = nullptr;
  int report = -1;
  int signals = -1;
  Gauge* gauge = nullptr;
  const Limits* limits = nullptr;
  // What makes init end itself and all others; SIGKILL where the kernel does that.
  int end_signal = 9;
  // Instead of that signal, where init is a runtime that has to be asked.
  std::function<void()> end = {};
  // Where no sized file system holds the work directory: how much is in it.
  std::function<DiskUse()> disk = {};
  Events* events = nullptr;
  egress::Proxy* proxy = nullptr;
};
// Returns when every process of the sandbox is gone.
Result<Outcome> watch(const Watched& watched, Streams streams);
// An error when process 1 could not say how the program ended, and we have not ended it ourselves.
Result<void> end_is_known(const Outcome& outcome);

}  // namespace langsbx::execute
