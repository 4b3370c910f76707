// What `create` put in force and recorded holds for every program of `exec`.
#pragma once

#include "oci/spec.h"
#include "runtime/base/result.h"
#include "runtime/plan/launch_plan.h"
#include "runtime/state/record.h"

namespace langsbx::runtime {

// The recorded Landlock plan instead of one made anew (a document that an annotation names may
// have changed since), and no_new_privs when it was set, unless that is left to exec's own options
// (crun). A process.landlock of exec's own process file only takes away from it.
Result<void> apply_recorded(const state::Record& record, const oci::Process& process,
                            plan::ProgramPlan& program, bool keeps_no_new_privs = true);

}  // namespace langsbx::runtime
