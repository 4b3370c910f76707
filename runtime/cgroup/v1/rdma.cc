// v1 rdma: handles and objects of each device.
#include "runtime/cgroup/controllers.h"

namespace langsbx::cgroup::v1 {

void plan_rdma(const oci::Resources& resources, Writes& out) {
  for (const auto& [device, limit] : resources.rdma) {
    if (!limit.hca_handles && !limit.hca_objects) continue;
    out.add("rdma", "rdma.max", rdma_limits(device, limit), "rdma." + device);
  }
}

}  // namespace langsbx::cgroup::v1
