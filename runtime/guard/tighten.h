// What a profile adds to a program's confinement when it is enforced.
#pragma once

#include <string>

#include "languages/profile.h"
#include "oci/spec.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::guard {

// Landlock's program layer, the language's seccomp profile on top of the container's, and
// no_new_privs. What the kernel cannot do is refused unless the profile says best effort.
Result<void> tighten(const languages::Profile& profile, const oci::Spec& spec,
                     const std::string& state_root, plan::ProgramPlan& program);

// A shipped profile on top of the container's own.
Result<void> stack_seccomp(const std::string& name, const oci::Spec& spec,
                           const std::string& state_root, plan::ProgramPlan& program);

}  // namespace langsbx::guard
