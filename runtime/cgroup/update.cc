// Changes the limits of a running container.
#include "runtime/cgroup/cgroup.h"
#include "runtime/cgroup/devices.h"
#include "runtime/cgroup/plan_writes.h"
#include "runtime/cgroup/rollback.h"
#include "runtime/cgroup/systemd/manager.h"
#include "runtime/cgroup/systemd/unit.h"
#include "runtime/cgroup/text.h"
#include "runtime/cgroup/write_values.h"
#include "runtime/kernel/file.h"

namespace langsbx::cgroup {
namespace {

// One v2 file holds two values of config.json; the half that is not given is read.
Result<Current> read_current(const oci::Resources& resources, const std::string& directory) {
  Current current;
  const auto& memory = resources.memory;
  if (memory && memory->swap.value_or(0) > 0 && memory->limit.value_or(0) == 0) {
    const auto limit = TRY(read_file(directory + "/memory.max"));
    current.memory_limit = to_signed(limit).value_or(-1);
  }
  const auto& cpu = resources.cpu;
  if (cpu && cpu->period.value_or(0) != 0 && cpu->quota.value_or(0) == 0) {
    const auto text = TRY(read_file(directory + "/cpu.max"));
    const auto words = split(trim(text), ' ');
    if (!words.empty()) current.cpu_quota = words.front();
  }
  return current;
}

}  // namespace

Result<void> Cgroup::update(const oci::Resources& resources) {
  if (!exists()) {
    if (!asks_for_limits(resources)) return {};
    return make_error(ErrorKind::kWrongState, "linux.resources: the container has no cgroup");
  }
  std::vector<std::string_view> v1_controllers;
  for (const auto& placement : record_.placements) {
    v1_controllers.insert(v1_controllers.end(), placement.controllers.begin(),
                          placement.controllers.end());
  }
  Current current;
  const auto* tree = unified();
  if (record_.mode == Mode::kV2 && tree != nullptr) {
    current = TRY(read_current(resources, tree->directory));
  }
  auto writes = TRY(plan_writes(resources, record_.mode, v1_controllers, current));
  // CRI clients send "deny everything" with each update, a template and not a wish.
  const bool devices = !only_denies_everything(resources.devices);
  const auto* v1_devices = placement("devices");
  const bool by_program = v1_devices == nullptr || v1_devices->controllers.empty();
  if (devices && !by_program) TRY(v1::plan_devices(resources.devices, writes));
  warnings_.insert(warnings_.end(), writes.warnings.begin(), writes.warnings.end());

  if (resources.memory && resources.memory->check_before_update.value_or(false)) {
    TRY(check_memory_usage(resources.memory->limit.value_or(0), record_.placements));
  }
  const auto write_files = [&]() -> Result<void> {
    TRY(write_all(writes.before_join));
    return write_all(writes.writes);
  };
  const auto apply_all = [&]() -> Result<void> {
    TRY(write_files());
    TRY(update_unit(resources));
    // systemd rounds what it writes itself.
    if (!record_.unit.empty()) TRY(write_files());
    if (!devices || !by_program || tree == nullptr) return {};
    return attach_program(device_program(TRY(device_rules(resources.devices))), true);
  };
  Rollback rollback;
  rollback.remember(writes.before_join, record_.placements);
  rollback.remember(writes.writes, record_.placements);
  auto applied = apply_all();
  used_.close();
  if (applied.ok()) return applied;
  for (const auto& path : rollback.restore()) {
    warnings_.push_back("update: " + path + " could not be brought back to its old value");
  }
  return applied;
}

// systemd takes all properties or none, and would else bring its old values back at its next
// reload.
Result<void> Cgroup::update_unit(const oci::Resources& resources) {
  if (record_.unit.empty()) return {};
  const auto properties = TRY(systemd::resource_properties(resources, record_.mode));
  if (properties.empty()) return {};
  return systemd::set_properties(record_.unit, record_.user_bus, properties);
}

}  // namespace langsbx::cgroup
