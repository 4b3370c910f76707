// The record of a container whose init has been cloned: staged beside init's work, published when
// the container is complete for everybody else.
#pragma once

#include "runtime/launch/prepare.h"

namespace langsbx::runtime {

// Complete and on disk, not valid yet.
Result<void> stage_record(const ContainerPlan& plan, Opened& opened, const Launched& launched);
// Makes it valid, staging it first if that is not done, and tells those who asked for the pid.
Result<void> publish_record(const PrepareInputs& inputs, Prepared& prepared);

}  // namespace langsbx::runtime
