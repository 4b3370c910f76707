// Calls the planner of every controller that the resources name.
#include "runtime/cgroup/plan_writes.h"

#include <algorithm>

namespace langsbx::cgroup {
namespace {

Result<void> plan_v1(const oci::Resources& resources, Writes& out) {
  if (resources.cpu) {
    v1::plan_cpuset(*resources.cpu, out);
    TRY(v1::plan_cpu(*resources.cpu, out));
  }
  if (resources.memory) TRY(v1::plan_memory(*resources.memory, out));
  if (resources.pids_limit) v1::plan_pids(*resources.pids_limit, out);
  if (resources.block_io) TRY(v1::plan_block_io(*resources.block_io, out));
  if (resources.network) v1::plan_network(*resources.network, out);
  return {};
}

Result<void> plan_v2(const oci::Resources& resources, const Current& current, Writes& out) {
  if (resources.cpu) {
    v2::plan_cpuset(*resources.cpu, out);
    TRY(v2::plan_cpu(*resources.cpu, current, out));
  }
  if (resources.memory) TRY(v2::plan_memory(*resources.memory, current, out));
  if (resources.pids_limit) v2::plan_pids(*resources.pids_limit, out);
  if (resources.block_io) TRY(v2::plan_block_io(*resources.block_io, out));
  if (resources.network) TRY(v2::plan_network(*resources.network));
  return {};
}

// On a hybrid host the controllers that no v1 hierarchy claimed work in the cgroup2 tree.
bool in_unified(Mode mode, const std::vector<std::string_view>& v1_controllers,
                std::string_view controller) {
  if (mode != Mode::kHybrid) return mode == Mode::kV2;
  return std::find(v1_controllers.begin(), v1_controllers.end(), controller) ==
         v1_controllers.end();
}

Result<void> plan_unified(const oci::Resources& resources, Mode mode,
                          const std::vector<std::string_view>& v1_controllers, Writes& out) {
  if (resources.unified.empty()) return {};
  if (mode == Mode::kV1) {
    return make_error(
        ErrorKind::kUnsupported,
        "linux.resources.unified: invalid configuration: cannot use unified on cgroup v1");
  }
  const auto first = static_cast<std::ptrdiff_t>(out.writes.size());
  TRY(v2::plan_unified(resources.unified, out));
  for (auto write = out.writes.begin() + first; write != out.writes.end(); ++write) {
    if (in_unified(mode, v1_controllers, write->controller)) continue;
    return make_error(ErrorKind::kUnsupported,
                      write->field + ": the controller \"" + write->controller +
                          "\" is in cgroup v1 on this host (invalid configuration)");
  }
  return {};
}

}  // namespace

Result<Writes> plan_writes(const oci::Resources& resources, Mode mode,
                           const std::vector<std::string_view>& v1_controllers,
                           const Current& current) {
  constexpr std::size_t kUsually = 8;
  Writes out;
  out.writes.reserve(kUsually);
  TRY(mode == Mode::kV2 ? plan_v2(resources, current, out) : plan_v1(resources, out));
  if (in_unified(mode, v1_controllers, "hugetlb")) {
    TRY(v2::plan_hugetlb(resources.hugepage_limits, out));
  } else {
    TRY(v1::plan_hugetlb(resources.hugepage_limits, out));
  }
  if (in_unified(mode, v1_controllers, "rdma")) {
    v2::plan_rdma(resources, out);
  } else {
    v1::plan_rdma(resources, out);
  }
  TRY(plan_unified(resources, mode, v1_controllers, out));
  return out;
}

bool asks_for_limits(const oci::Resources& resources) {
  // Planned as v2, or else as v1, every field that is not "unset" becomes a write or a refusal.
  const auto unified = plan_writes(resources, Mode::kV2, {}, {});
  return !unified.ok() || !unified->writes.empty() || !unified->before_join.empty();
}

}  // namespace langsbx::cgroup
