// v2 cpuset: which CPUs and memory nodes.
#include "runtime/cgroup/controllers.h"

namespace langsbx::cgroup::v2 {

void plan_cpuset(const oci::CpuResources& cpu, Writes& out) {
  if (!cpu.cpus.empty()) out.add("cpuset", "cpuset.cpus", cpu.cpus, "cpu.cpus");
  if (!cpu.mems.empty()) out.add("cpuset", "cpuset.mems", cpu.mems, "cpu.mems");
}

}  // namespace langsbx::cgroup::v2
