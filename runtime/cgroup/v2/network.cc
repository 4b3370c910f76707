// v2 has no net_cls and no net_prio.
#include "runtime/cgroup/controllers.h"

namespace langsbx::cgroup::v2 {

Result<void> plan_network(const oci::NetworkResources& network) {
  if (network.class_id.value_or(0) != 0) return not_on_this_version("network.classID", 2);
  if (!network.priorities.empty()) return not_on_this_version("network.priorities", 2);
  return {};
}

}  // namespace langsbx::cgroup::v2
