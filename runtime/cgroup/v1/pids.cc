// v1 pids: how many tasks; negative is no limit. 0 is written as 1, as systemd's
// driver does, which takes no 0, and runc since 1.4.
#include "runtime/cgroup/controllers.h"

#include "runtime/cgroup/conversions.h"

namespace langsbx::cgroup::v1 {

void plan_pids(std::int64_t limit, Writes& out) {
  out.add("pids", "pids.max", limit_or_max(limit == 0 ? 1 : limit), "pids.limit");
}

}  // namespace langsbx::cgroup::v1
