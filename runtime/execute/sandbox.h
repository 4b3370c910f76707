// From a Program to its Outcome: plan, cgroup, launch, watch, and nothing left behind.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/execute/sandbox_spec.h"
#include "runtime/execute/watch.h"

namespace langsbx::execute {

struct SandboxRun {
  Outcome outcome;
  Enforced enforced;
  std::vector<std::string> warnings;
  std::vector<Artifact> artifacts;
  std::uint64_t setup_us = 0;
};

struct SandboxOptions {
  bool capture = false;
  int stdin_fd = -1;  // -1: empty
  std::vector<std::string> artifacts;
  std::string state_root;
};

Result<SandboxRun> run_sandboxed(Program program, const SandboxOptions& options);

}  // namespace langsbx::execute
