// The owner of a delegated cgroup, in ids of the host.
#include "runtime/launch/delegation.h"

namespace langsbx::runtime {

std::optional<cgroup::Owner> delegate_owner(const oci::Spec& spec, const plan::LaunchPlan& launch) {
  if (!launch.namespaces.makes(oci::NamespaceType::kCgroup)) return {};
  for (const auto& step : launch.rootfs.mounts) {
    const bool cgroup_mount = step.type == "cgroup" || step.type == "cgroup2";
    if (!cgroup_mount || step.options.readonly) continue;
    const auto& maps = launch.namespaces.uid_map;
    std::uint32_t uid = spec.process->user.uid;
    for (const auto& map : maps) {
      if (uid >= map.container_id && uid - map.container_id < map.size) {
        return cgroup::Owner{map.host_id + (uid - map.container_id), static_cast<gid_t>(-1)};
      }
    }
    return cgroup::Owner{uid, static_cast<gid_t>(-1)};
  }
  return {};
}

}  // namespace langsbx::runtime
