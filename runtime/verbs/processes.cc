// The processes of a container, as ps and clients' "top" show them.
#include "runtime/launch/opened.h"

namespace langsbx::runtime {

Result<std::vector<pid_t>> processes(const Context& context, const std::string& id) {
  // Without the lock: a listing may not wait for an exec or a slow delete.
  auto container = TRY(state::Store(context.root).open(id));
  const auto record = TRY(container.read_record());
  const auto group = TRY(cgroup_of(record));
  auto pids = group.pids();
  // A stopped container's cgroup may be gone; then nothing runs in it.
  if (!pids.ok() && pids.error().kind == ErrorKind::kNotFound) return std::vector<pid_t>();
  return pids;
}

}  // namespace langsbx::runtime
