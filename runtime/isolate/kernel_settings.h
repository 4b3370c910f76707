// Host name, domain name and sysctl of the container's namespaces.
#pragma once

#include "runtime/base/result.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::isolate {

// `procfs` is the host's /proc, opened before the container could have touched anything; keys of
// a namespace resolve to the caller's namespaces whatever procfs they are opened through.
Result<void> apply_kernel_settings(const plan::RootfsPlan& plan, int procfs);

// In a new network namespace: sets lo up, which programs take for granted. Gives the socket that
// was used for it.
Result<UniqueFd> bring_up_loopback();

// An O_PATH descriptor of /proc, checked to be a procfs.
Result<UniqueFd> open_procfs();

}  // namespace langsbx::isolate
