// A pod's sandbox: the one container of a guarded runtime that runs no language. Its annotation is
// a claim that anybody can make, so the claim costs everything but waiting.
#pragma once

#include <string>

#include "oci/spec.h"
#include "runtime/base/result.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::guard {

// The annotations of containerd and CRI-O, and a command that can be a pause: one absolute path
// without arguments.
bool claims_to_be_sandbox(const oci::Spec& spec, const plan::ProgramPlan& program);

// Landlock: executes its own binary, touches no other file, no port, no signal outside; the seccomp
// profile "pause": no files, sockets or processes; no capabilities; no_new_privs. A liar can burn
// the processor time that the container's cgroup gives it, and nothing else.
Result<void> confine_as_pause(const oci::Spec& spec, const std::string& state_root,
                              plan::ProgramPlan& program);

}  // namespace langsbx::guard
