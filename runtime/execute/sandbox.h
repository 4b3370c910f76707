// From a Program to its Outcome: plan, launch, watch, and nothing left behind.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/execute/sandbox_spec.h"
#include "runtime/execute/watch.h"
#include "runtime/explain/observer.h"

namespace langsbx::execute {

struct SandboxRun {
  Outcome outcome;
  Enforced enforced;
  std::vector<std::string> warnings;
  WorkDirectory work;
  std::optional<std::vector<explain::Denial>> explained;
  std::uint64_t setup_us = 0;
  // The program never ran: this host refuses what the tier is made of,
  std::optional<Error> refused;
  bool rejected = false;  // or it was not cleared
};

struct SandboxOptions {
  bool capture = false;
  int stdin_fd = -1;  // -1: empty
  bool explain = false;
  bool tty = false;
  std::string state_root;
  std::string oci_runtime;  // of the maximum tier
  Events* events = nullptr;
  // Asked while the sandbox is being made; before the answer nothing is started in it.
  std::function<bool()> cleared;
};

// kRefused when the program may not start.
Result<void> ask_clearance(const SandboxOptions& options);

// Whether we can make the program another user, as root outside of a container can.
bool may_change_user();

// A run's user id: its own, so that limits per user and signals don't reach another run. The range
// is not one that systems hand out.
uid_t own_uid();

// What making the sandbox opens and writes is not the program's: those limits are put on last.
void limit_last(plan::ProgramPlan& plan);

// Compiled, with what else the tier needs refused.
Result<confine::SeccompPlan> plan_seccomp_for(const Program& program,
                                              const std::vector<confine::SeccompSource>& more,
                                              const std::string& state_root);

// --explain: to be called before the first process of the sandbox has done anything.
Result<explain::Observer> watch_refusals(const confine::SeccompPlan& seccomp,
                                         const confine::LandlockPlan& landlock, pid_t first);

// Namespaces and cgroup.
Result<SandboxRun> run_in_container(Program program, const SandboxOptions& options);
// One process on the host's file system: Landlock, seccomp and limits (`off`: limits only).
Result<SandboxRun> run_light(Program program, const SandboxOptions& options);
// Another OCI runtime.
Result<SandboxRun> run_maximum(Program program, const SandboxOptions& options);

Result<SandboxRun> run_sandboxed(Program program, const SandboxOptions& options);

}  // namespace langsbx::execute
