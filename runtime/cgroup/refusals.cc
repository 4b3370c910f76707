// What keeps a container out of a cgroup that is there.
#include "runtime/cgroup/refusals.h"

#include "runtime/cgroup/freezer.h"
#include "runtime/cgroup/systemd/unit.h"
#include "runtime/cgroup/text.h"
#include "runtime/kernel/file.h"

namespace langsbx::cgroup {

Result<void> refuse_if_inhabited(const std::string& directory) {
  const auto text = read_file(directory + "/cgroup.procs");
  if (!text.ok() || text->empty()) return {};
  return make_error(ErrorKind::kWrongState, "container's cgroup is not empty: " +
                                                std::to_string(split(*text, '\n').size()) +
                                                " process(es) found in " + directory);
}

Result<void> refuse_if_frozen(const Placement& placement) {
  const bool unified = placement.controllers.empty();
  if (!unified && !placement.has("freezer")) return {};
  const auto& directory = placement.directory;
  if (!TRY(unified ? v2::is_frozen(directory) : v1::is_frozen(directory))) return {};
  return make_error(ErrorKind::kWrongState,
                    "container's cgroup unexpectedly frozen: " + placement.directory);
}

Result<void> refuse_if_unit_frozen(const Placement& placement) {
  auto refused = refuse_if_frozen(placement);
  if (!refused.ok() && placement.controllers.empty()) {
    static_cast<void>(v2::thaw(placement.directory));
  }
  return refused;
}

Result<void> refuse_if_place_frozen(const Unit& unit, const Host& host) {
  if (unit.user_bus) return {};
  const bool slice = unit.name.ends_with(".slice");
  std::string path = TRY(systemd::expand_slice(slice ? unit.name : unit.slice));
  if (!slice) path = join_path(path, unit.name);
  const auto refuse = [&](const Hierarchy& hierarchy) -> Result<void> {
    const Placement placement{.controllers = hierarchy.controllers,
                              .mount_point = hierarchy.mount_point,
                              .directory = hierarchy.directory(path)};
    return refuse_if_frozen(placement);
  };
  for (const auto& hierarchy : host.hierarchies) TRY(refuse(hierarchy));
  if (!host.unified.mount_point.empty()) TRY(refuse(host.unified));
  return {};
}

}  // namespace langsbx::cgroup
