// v1 net_cls and net_prio: the class of packets and the priority on each interface.
#include "runtime/cgroup/controllers.h"

namespace langsbx::cgroup::v1 {

void plan_network(const oci::NetworkResources& network, Writes& out) {
  if (network.class_id.value_or(0) != 0) {
    out.add("net_cls", "net_cls.classid", std::to_string(*network.class_id), "network.classID");
  }
  for (std::size_t i = 0; i < network.priorities.size(); ++i) {
    out.add("net_prio", "net_prio.ifpriomap",
            network.priorities[i].name + " " + std::to_string(network.priorities[i].priority),
            "network.priorities[" + std::to_string(i) + "]");
  }
}

}  // namespace langsbx::cgroup::v1
