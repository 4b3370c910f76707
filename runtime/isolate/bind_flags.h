// The flags of a bind mount: what config.json names, and what the source's mount has.
#pragma once

#include "runtime/base/result.h"
#include "runtime/isolate/rootfs.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::isolate {

// As runc: once any flag is named the mount has those and no others, but for the times of access,
// which stay unless one of them is named. In a user namespace the flags of the host's mount stay,
// as the kernel wants it for mounts that a user namespace was given. One that is asked away then is
// an error, or stays when the runtime is called as crun.
Result<void> set_bind_flags(int mount, const plan::MountStep& step, const MountContext& context);

}  // namespace langsbx::isolate
