// The container's file system: from the bundle's directory to the process's "/".
#pragma once

#include "runtime/base/result.h"
#include "runtime/cgroup/cgroup.h"
#include "runtime/isolate/used.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/unique_fd.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::isolate {

// What the mounts need to know of the rest of the launch.
struct MountContext {
  const plan::NamespacePlan* namespaces = nullptr;
  const cgroup::Record* cgroup = nullptr;
  const cgroup::Host* cgroup_host = nullptr;
  bool user_namespace = false;
  bool rootless = false;
  bool acts_as_crun = false;
  bool stays = false;  // the working directory is kept: hooks will be run in it
  const plan::RootfsPlan* rootfs = nullptr;  // set by prepare_rootfs
};

// Proof that the root is attached in our own mount namespace: an O_PATH descriptor of it. All later
// work goes through this descriptor; the path is never used again.
struct Rootfs {
  UniqueFd root;
  bool hidden = false;  // nobody outside sees the mounts that are made in it
};

// Propagation, the root's own mount, all mounts of the config, /dev.
Result<Rootfs> prepare_rootfs(const plan::RootfsPlan& plan, MountContext context, Used& used);
// After the createContainer hooks: read-only parts, masked paths, the read-only root. Closes what
// is used: no descriptor of the host may be there when the root is entered (CVE-2024-21626).
Result<void> finish_rootfs(const plan::RootfsPlan& plan, const Rootfs& rootfs, Used& used);
// pivot_root (or MS_MOVE with no_pivot); the old root is gone afterwards.
Result<void> enter_rootfs(const plan::RootfsPlan& plan, const Rootfs& rootfs);

// Host files that a child in a user namespace could not open any more, opened by the parent.
// `scratch` is a directory for device nodes that the host does not have; -1: none. The process that
// comes back is needed while init mounts.
Result<ChildProcess> open_host_sources(plan::RootfsPlan& plan,
                                       const plan::NamespacePlan& namespaces, int scratch);
// Init's copies of them, once the mounts are there; the plan's owner is in another process.
void close_copied_sources(const plan::RootfsPlan& plan);
// The same in the process that opened them.
void close_host_sources(plan::RootfsPlan& plan);

}  // namespace langsbx::isolate
