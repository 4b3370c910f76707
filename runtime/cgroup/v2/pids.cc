// v2 pids: how many tasks. 0 is a real limit, negative is none.
#include "runtime/cgroup/controllers.h"

#include "runtime/cgroup/conversions.h"

namespace langsbx::cgroup::v2 {

void plan_pids(std::int64_t limit, Writes& out) {
  out.add("pids", "pids.max", limit_or_max(limit), "pids.limit");
}

}  // namespace langsbx::cgroup::v2
