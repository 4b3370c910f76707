// The record of a container whose init has been cloned: written beside init's work, made valid when
// the container is complete for everybody else.
#pragma once

#include "runtime/launch/prepare.h"

namespace langsbx::runtime {

// Written, not valid yet.
Result<void> stage_final_record(Prepared& prepared, const Launched& launched);
// Makes it valid, and tells those who asked for the pid.
Result<void> settle(const PrepareInputs& inputs, Prepared& prepared);

}  // namespace langsbx::runtime
