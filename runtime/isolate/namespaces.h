// Entering namespaces, and the id maps of a new user namespace.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "runtime/base/result.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::isolate {

// In the parent, for a child cloned with CLONE_NEWUSER: direct writes, or newuidmap and newgidmap
// when the caller may not map that much.
Result<void> write_id_maps(pid_t pid, const plan::NamespacePlan& plan, bool privileged);

// In the child, first thing: those that its clone left out.
Result<void> unshare_namespaces(std::uint64_t flags);
// In the child. Joins what is joined by path (pid namespaces were entered before the clone).
Result<void> join_namespaces(const plan::NamespacePlan& plan);
// Cgroup and time namespaces, made late: see NamespacePlan. `offsets`: see open_time_offsets.
Result<void> unshare_late_namespaces(const plan::NamespacePlan& plan, int offsets);
// The caller's file for the offsets of its next time namespace; none when it has nothing to write.
// To be opened before a user namespace is entered: then the file belongs to an id outside of it.
Result<UniqueFd> open_time_offsets(const plan::NamespacePlan& plan);
// A time namespace for the children of the caller.
Result<void> unshare_time_namespace(const plan::NamespacePlan& plan, int offsets);
// After CLONE_NEWUSER and the maps: become root of the new namespace, so that what is made next
// belongs to a mapped id.
Result<void> become_namespace_root();

// A user namespace with these maps and nothing else, for idmapped mounts.
Result<UniqueFd> make_mapping_namespace(const std::vector<oci::IdMapping>& uids,
                                        const std::vector<oci::IdMapping>& gids);

}  // namespace langsbx::isolate
