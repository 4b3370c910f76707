// mounts[] of type cgroup: what the container sees of its cgroups on v1, hybrid and v2.
#pragma once

#include "runtime/base/result.h"
#include "runtime/isolate/places.h"
#include "runtime/isolate/rootfs.h"

namespace langsbx::isolate {

Result<void> mount_cgroups(const plan::MountStep& step, Places& places,
                           const MountContext& context);

}  // namespace langsbx::isolate
