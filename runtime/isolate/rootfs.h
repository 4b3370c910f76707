// The container's file system: from the bundle's directory to the process's "/".
#pragma once

#include "runtime/base/result.h"
#include "runtime/cgroup/cgroup.h"
#include "runtime/isolate/host_sources.h"
#include "runtime/isolate/namespaces.h"
#include "runtime/isolate/rooted.h"
#include "runtime/isolate/used.h"
#include "runtime/kernel/unique_fd.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::isolate {

// What the mounts need to know of the rest of the launch.
struct MountContext {
  const plan::NamespacePlan* namespaces = nullptr;
  const HostSources* sources = nullptr;
  const cgroup::Record* cgroup = nullptr;
  const cgroup::Host* cgroup_host = nullptr;
  bool user_namespace = false;
  bool rootless = false;
  bool acts_as_crun = false;
  bool stays = false;  // the working directory is kept: hooks will be run in it
};

// Proof that the root is attached in our own mount namespace: an O_PATH descriptor of it. All later
// work goes through this descriptor; the path is never used again.
struct Rootfs {
  UniqueFd root;
  bool hidden = false;  // nobody outside sees the mounts that are made in it
};

// Propagation, the root's own mount, all mounts of the config, /dev.
Result<Rootfs> prepare_rootfs(const Isolated& isolated, const MountContext& context, Used& used);
// After the createContainer hooks: read-only parts, masked paths, the read-only root. Closes what
// is used: no descriptor of the host may be there when the root is entered (CVE-2024-21626).
Result<void> finish_rootfs(const Isolated& isolated, const Rootfs& rootfs, Used& used);
// pivot_root (or MS_MOVE with no_pivot); the old root is gone afterwards.
Result<Rooted> enter_rootfs(Isolated isolated, Rootfs rootfs);

}  // namespace langsbx::isolate
