// Config and host to plan: paths, writes, device rules, systemd unit.
#include "runtime/cgroup/plan.h"

#include <algorithm>

#include "runtime/cgroup/devices.h"
#include "runtime/cgroup/plan_writes.h"
#include "runtime/cgroup/systemd/unit.h"
#include "runtime/cgroup/text.h"

namespace langsbx::cgroup {
namespace {

std::vector<std::string_view> v1_controllers(const Host& host) {
  std::vector<std::string_view> names;
  names.reserve(2 * host.hierarchies.size());
  for (const auto& hierarchy : host.hierarchies) {
    names.insert(names.end(), hierarchy.controllers.begin(), hierarchy.controllers.end());
  }
  return names;
}

// The container's directory in one hierarchy.
std::string directory_in(const Hierarchy& hierarchy, const std::string& path, Mode mode) {
  if (path.starts_with('/')) return hierarchy.directory(path);
  std::string_view own = hierarchy.own_path;
  // Controllers can't be enabled below a cgroup that holds processes, and the caller is in its own.
  if (mode == Mode::kV2) own = parent_path(own);
  return join_path(hierarchy.directory(own), path);
}

Result<void> plan_placements(const Config& config, const Host& host, Plan& plan) {
  std::string path = config.path;
  // As runc and crun; what leads above the hierarchy's root does not.
  if (!path.empty()) path = clean_path(path);
  TRY(check_path(path, "linux.cgroupsPath"));
  if (path.empty()) path = config.rootless ? config.id : "/" + config.id;
  if (join_path("/", path) == "/") {
    return make_error(ErrorKind::kInvalidInput,
                      "linux.cgroupsPath: \"" + path + "\" is the root cgroup");
  }
  plan.placements.reserve(host.hierarchies.size() + 1);
  const auto place = [&](const Hierarchy& hierarchy) {
    auto& placement = plan.placements.emplace_back();
    placement.controllers = hierarchy.controllers;
    placement.mount_point = hierarchy.mount_point;
    placement.directory = directory_in(hierarchy, path, host.mode);
  };
  for (const auto& hierarchy : host.hierarchies) place(hierarchy);
  if (!host.unified.mount_point.empty()) place(host.unified);
  return {};
}

Result<void> check_hierarchies(const Host& host, const std::vector<Write>& writes) {
  for (const auto& write : writes) {
    if (write.missing_ok || host.find(write.controller) != nullptr) continue;
    if (host.mode == Mode::kHybrid && !write.controller.starts_with("net_")) continue;
    return make_error(ErrorKind::kUnsupported, write.field + ": no cgroup hierarchy with \"" +
                                                   write.controller + "\" is mounted");
  }
  return {};
}

Result<void> plan_device_rules(const std::vector<oci::DeviceRule>& rules, const Host& host,
                               Plan& plan, Writes& writes) {
  if (host.mode == Mode::kV2) {
    plan.device_program = device_program(TRY(device_rules(rules)));
  } else if (host.find("devices") != nullptr) {
    // Only the root's list can be widened, and only by root: rootless relies on the user namespace.
    if (!plan.rootless) TRY(v1::plan_devices(rules, writes));
  } else if (host.mode == Mode::kHybrid) {
    plan.device_program = device_program(TRY(device_rules(rules)));
  } else if (!plan.rootless) {
    return make_error(ErrorKind::kUnsupported,
                      "linux.resources.devices: no cgroup hierarchy with \"devices\" is mounted");
  }
  return {};
}

void require_controllers(const Host& host, Plan& plan) {
  for (const auto& write : plan.writes) {
    if (write.controller.empty() || write.missing_ok || host.find(write.controller) != nullptr) {
      continue;
    }
    auto& list = plan.required_controllers;
    const auto is_there = [&](const auto& known) { return known.name == write.controller; };
    if (std::none_of(list.begin(), list.end(), is_there)) {
      list.push_back({write.controller, write.field});
    }
  }
}

Result<Plan> plan_disabled(const oci::Resources& resources, Plan plan) {
  if (asks_for_limits(resources)) {
    return make_error(ErrorKind::kInvalidInput,
                      "linux.resources: limits need a cgroup, and cgroups are disabled");
  }
  plan.mode = Mode::kNone;
  return plan;
}

}  // namespace

bool Placement::has(std::string_view controller) const {
  return std::find(controllers.begin(), controllers.end(), controller) != controllers.end();
}

Result<Plan> plan(const Config& config, const Host& host) {
  static const oci::Resources no_resources;
  const auto& resources = config.resources != nullptr ? *config.resources : no_resources;
  Plan result;
  result.mode = host.mode;
  result.manager = config.manager;
  result.rootless = config.rootless;
  if (config.manager == Manager::kDisabled) return plan_disabled(resources, std::move(result));
  result.may_do_without =
      config.rootless && config.manager == Manager::kCgroupfs && !asks_for_limits(resources);
  if (host.mode == Mode::kNone) {
    if (result.may_do_without) return result;
    return make_error(ErrorKind::kUnsupported, "cgroups: no cgroup file system is mounted");
  }

  auto writes = TRY(plan_writes(resources, host.mode, v1_controllers(host), {}));
  TRY(plan_device_rules(resources.devices, host, result, writes));
  result.before_join = std::move(writes.before_join);
  result.writes = std::move(writes.writes);
  result.warnings = std::move(writes.warnings);
  if (host.mode != Mode::kV2) {
    TRY(check_hierarchies(host, result.before_join));
    TRY(check_hierarchies(host, result.writes));
  }
  require_controllers(host, result);
  if (host.mode == Mode::kV2) result.delegate_to = config.delegate_to;
  if (resources.memory && resources.memory->check_before_update.value_or(false)) {
    result.memory_must_exceed_usage = resources.memory->limit.value_or(0);
  }

  if (config.manager == Manager::kSystemd) {
    result.unit = TRY(systemd::plan_unit(config, resources, host));
    result.host = host;
  } else {
    TRY(plan_placements(config, host, result));
  }
  return result;
}

}  // namespace langsbx::cgroup
