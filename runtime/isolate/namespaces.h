// Entering namespaces, and the id maps of a new user namespace.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "runtime/base/result.h"
#include "runtime/isolate/used.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::isolate {

// In the parent, for a child cloned with CLONE_NEWUSER: direct writes, or newuidmap and newgidmap
// when the caller may not map that much.
Result<void> write_id_maps(pid_t pid, const plan::NamespacePlan& plan, bool privileged);

class Isolated;

// Proof: this process was cloned into, or has made, the new namespaces of the plan.
class OwnNamespaces {
 public:
  OwnNamespaces(OwnNamespaces&&) noexcept = default;
  OwnNamespaces& operator=(OwnNamespaces&&) noexcept = default;

 private:
  friend Result<OwnNamespaces> make_own_namespaces(const plan::LaunchPlan& plan,
                                                   std::uint64_t left_out);
  friend Result<Isolated> enter_namespaces(OwnNamespaces own, Used& used);
  explicit OwnNamespaces(const plan::LaunchPlan& plan) : plan_(&plan) {}
  const plan::LaunchPlan* plan_;
};
// In the child, first thing. `left_out`: CLONE_NEW* that its clone did not make.
Result<OwnNamespaces> make_own_namespaces(const plan::LaunchPlan& plan, std::uint64_t left_out);

// Proof: this process is in all namespaces of the plan, and root of its user namespace.
class Isolated {
 public:
  Isolated(Isolated&&) noexcept = default;
  Isolated& operator=(Isolated&&) noexcept = default;
  [[nodiscard]] const plan::LaunchPlan& plan() const { return *plan_; }

 private:
  friend Result<Isolated> enter_namespaces(OwnNamespaces own, Used& used);
  explicit Isolated(const plan::LaunchPlan& plan) : plan_(&plan) {}
  const plan::LaunchPlan* plan_;
};
// In the child, in its cgroup and with its id maps: joins what is joined by path (pid namespaces
// were entered before the clone), makes cgroup and time namespaces, brings up the loopback device.
Result<Isolated> enter_namespaces(OwnNamespaces own, Used& used);

// In the child or in what makes it. Joins what is joined by path, the user namespace first.
Result<void> join_namespaces(const plan::NamespacePlan& plan);
// The caller's file for the offsets of its next time namespace; none when it has nothing to write.
// To be opened before a user namespace is entered: then the file belongs to an id outside of it.
Result<UniqueFd> open_time_offsets(const plan::NamespacePlan& plan);
// A time namespace for the children of the caller.
Result<void> unshare_time_namespace(const plan::NamespacePlan& plan, int offsets);
// After CLONE_NEWUSER and the maps: become root of the new namespace, so that what is made next
// belongs to a mapped id. The caller's further groups are dropped unless they are to be kept.
Result<void> become_namespace_root(bool keep_groups);

// A user namespace with these maps and nothing else, for idmapped mounts.
Result<UniqueFd> make_mapping_namespace(const std::vector<oci::IdMapping>& uids,
                                        const std::vector<oci::IdMapping>& gids);

}  // namespace langsbx::isolate
