// The tracer in a process of its own: the runtime goes on with its work, or ends.
#pragma once

#include <vector>

#include "runtime/base/result.h"
#include "runtime/explain/tracer.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::explain {

class Observer {
 public:
  Observer() = default;
  // Returns when every further system call of the process is watched. `events` (-1: none) gets one
  // JSON object a line at the first of each kind of refusal. Needs no privilege as long as the
  // process is ours to trace: right after its birth, before it changes who it is.
  static Result<Observer> start(const Watched& watched, int events);

  [[nodiscard]] bool is_watching() const { return process_.pid() > 0; }
  // When the process has ended: what was refused in it and all that it started.
  Result<std::vector<Denial>> finish();
  // It goes on watching when we are gone, and ends with the last process that it watches.
  void release();

 private:
  ChildProcess process_;
  UniqueFd results_;
};

}  // namespace langsbx::explain
