// Sources that only earlier mounts bring to light, mapped for init in a user namespace: to map the
// ids of a mount takes rights on its file system, which init has lost by then.
#pragma once

#include <vector>

#include "runtime/base/result.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/unique_fd.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::isolate {

// A process of the runtime's that keeps these rights, for as long as init mounts. Init names itself
// and an opened source; it gets a detached copy, mapped.
struct LateSources {
  UniqueFd asks;  // init's end
  ChildProcess helper;
};
// `idmaps`: the user namespace of each step's mapping, by the place of the step.
Result<LateSources> offer_late_sources(const plan::RootfsPlan& plan,
                                       const std::vector<int>& idmaps);
// In init: the mapped copy of `source` (O_PATH), which the step numbered `index` mounts.
Result<UniqueFd> ask_for_late_source(int asks, std::size_t index, int source);

}  // namespace langsbx::isolate
