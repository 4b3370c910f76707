// Decides whether and how the language guard judges a launch.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "oci/spec.h"
#include "runtime/base/result.h"
#include "runtime/guard/gate.h"
#include "runtime/guard/profile_directories.h"
#include "runtime/guard/settings.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::guard {

struct GateInputs {
  const oci::Spec* spec = nullptr;
  // Enforcing with a profile tightens it: Landlock, seccomp, no_new_privs, rlimits.
  plan::ProgramPlan* program = nullptr;
  // Enforcing lowers it to the profile's limits; null: the container has its limits already (exec).
  oci::Resources* resources = nullptr;
  std::string profile_flag;  // --profile
  std::string state_root;    // for the seccomp cache
  VerdictFacts facts;        // whose refusal it is, in the log of verdicts
  bool user = false;         // the log is the user's own
  bool joins = false;        // a program of `exec`
  std::string recorded;      // exec: the settings that `create` recorded, else empty
  std::vector<std::string>* warnings = nullptr;
  const Administrator* administrator = nullptr;  // null: what stands in config_file
  std::string config_file = kConfigFile;
  std::vector<std::string> profile_directories = {kProfileDirectory};
};
// A judge, or the reason why there is nothing to judge: the guard is off, or nobody asked and the
// command is no interpreter by its name.
Result<GuardPlan> make_gate(const GateInputs& inputs);

// For `start`, which hands them to the waiting init: guard.jsonl, and the log of verdicts if it can
// be opened. `recorded`: the gate's settings(). A log that is required and can't be had is an
// error.
Result<std::vector<UniqueFd>> open_records(int state_directory, const std::string& recorded,
                                           bool user, const std::string& config_file = kConfigFile);

}  // namespace langsbx::guard
