// Files of the host that init in a user namespace could not open any more, opened for a plan.
#pragma once

#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/unique_fd.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::isolate {

// Each step of the plan may have one. -1: none was opened for it, init opens it when its turn
// comes.
class HostSources {
 public:
  HostSources() = default;  // none
  // In the parent, before the clone. `scratch` is a directory for device nodes that the host does
  // not have; -1: none. The plan has to outlive this.
  static Result<HostSources> open(const plan::RootfsPlan& plan,
                                  const plan::NamespacePlan& namespaces, int scratch);

  // The source of a bind mount, cloned; mapped if it is to be.
  [[nodiscard]] int mount_of(const plan::MountStep& step) const;
  [[nodiscard]] int idmap_of(const plan::MountStep& step) const;
  [[nodiscard]] int device_of(const plan::DeviceStep& step) const;
  // In init: the mapped copy of `source` (O_PATH), which an earlier mount brought to light.
  [[nodiscard]] Result<UniqueFd> ask_for_mapped(const plan::MountStep& step, int source) const;
  // In the parent: the process that answers, for as long as init mounts; often none.
  ChildProcess take_mapper() { return std::move(mapper_); }
  // Closes all of them, in the parent when init has its copies, and in init when the mounts are
  // there.
  void close();

 private:
  struct OfMount {
    UniqueFd source;
    UniqueFd idmap_namespace;
  };
  explicit HostSources(const plan::RootfsPlan& plan) : plan_(&plan) {}
  Result<void> open_mount(const plan::MountStep& step, const plan::NamespacePlan& namespaces,
                          bool user_namespace, OfMount& opened) const;
  // If a mapped source waits for an earlier mount.
  Result<void> offer_late();

  const plan::RootfsPlan* plan_ = nullptr;
  std::vector<OfMount> mounts_;    // by the place of the step; empty when there is none
  std::vector<UniqueFd> devices_;  // the same
  UniqueFd asks_;                  // where init asks for mapped sources (late_sources.h)
  ChildProcess mapper_;
};

}  // namespace langsbx::isolate
