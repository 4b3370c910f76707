// One entry of mounts[]: made detached, changed there, attached to a descriptor below the root.
#pragma once

#include <vector>

#include "runtime/base/result.h"
#include "runtime/isolate/places.h"
#include "runtime/isolate/rootfs.h"
#include "runtime/kernel/unique_fd.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::isolate {

Result<void> apply_mount(const plan::MountStep& step, Places& places, const MountContext& context);
// Of a step that covers the root: mounts it there. What it gives is the root's new mount.
Result<UniqueFd> cover_root(const plan::MountStep& step, const Places& places,
                            const MountContext& context);
// tmpfs and /dev become read-only only now: mounts inside them needed their mount points.
Result<void> finish_readonly_mounts(const std::vector<plan::MountStep>& mounts, int root);
// A detached copy of what a bind mount's source is.
Result<UniqueFd> clone_host_source(const plan::MountStep& step, bool follow);
// `mount` is detached yet.
Result<void> apply_idmap(const plan::MountStep& step, int user_namespace, int mount);

// Attaches `mount` at `path`; makes the directory or the file there when it is missing.
Result<void> attach_at(int mount, Places& places, const std::string& path, bool directory);

}  // namespace langsbx::isolate
