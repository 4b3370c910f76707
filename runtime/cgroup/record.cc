// The cgroup part of the state file.
#include <nlohmann/json.hpp>

#include "runtime/base/json_writer.h"
#include "runtime/cgroup/cgroup.h"

namespace langsbx::cgroup {
namespace {

constexpr const char* kModes[] = {"none", "v1", "hybrid", "v2"};
constexpr const char* kManagers[] = {"cgroupfs", "systemd", "disabled"};

Error malformed(const std::string& member) {
  return make_error(ErrorKind::kInvalidInput, "state: cgroup." + member + ": missing or malformed");
}

Result<std::string> text_of(const nlohmann::json& value, const char* member) {
  const auto found = value.find(member);
  if (found == value.end()) return std::string();
  if (!found->is_string()) return malformed(member);
  return found->get<std::string>();
}

Result<bool> flag_of(const nlohmann::json& value, const char* member) {
  const auto found = value.find(member);
  if (found == value.end()) return false;
  if (!found->is_boolean()) return malformed(member);
  return found->get<bool>();
}

template <typename Enum, std::size_t size>
Result<Enum> enum_of(const nlohmann::json& value, const char* member,
                     const char* const (&names)[size]) {
  const std::string text = TRY(text_of(value, member));
  for (std::size_t i = 0; i < size; ++i) {
    if (text == names[i]) return static_cast<Enum>(i);
  }
  return malformed(member);
}

Result<Placement> placement_from(const nlohmann::json& value) {
  if (!value.is_object()) return malformed("placements");
  Placement placement;
  placement.directory = TRY(text_of(value, "directory"));
  placement.mount_point = TRY(text_of(value, "mount"));
  // delete removes this directory: never the mount itself, never a relative path.
  if (!placement.directory.starts_with(placement.mount_point + "/") ||
      !placement.mount_point.starts_with('/')) {
    return malformed("placements");
  }
  const auto controllers = value.find("controllers");
  if (controllers == value.end()) return placement;
  if (!controllers->is_array()) return malformed("placements");
  for (const auto& name : *controllers) {
    if (!name.is_string()) return malformed("placements");
    placement.controllers.push_back(name.get<std::string>());
  }
  return placement;
}

}  // namespace

std::string to_json(const Record& record) {
  constexpr std::size_t kOfOne = 256;
  JsonWriter out(kOfOne * (1 + record.placements.size()));
  out.add("manager", kManagers[static_cast<std::size_t>(record.manager)]);
  out.add("mode", kModes[static_cast<std::size_t>(record.mode)]);
  out.open_list("placements");
  for (const auto& placement : record.placements) {
    out.open_item();
    if (!placement.controllers.empty()) out.add("controllers", placement.controllers);
    out.add("mount", placement.mount_point);
    out.add("directory", placement.directory);
    out.close_object();
  }
  out.close_list();
  if (!record.unit.empty()) {
    out.add("unit", record.unit);
    out.add("slice", record.slice);
    out.add("userBus", record.user_bus);
  }
  if (record.rootless) out.add("rootless", true);
  return out.finish();
}

Result<Record> record_from_json(std::string_view text) {
  const auto value = nlohmann::json::parse(text, nullptr, false);
  if (!value.is_object()) {
    return make_error(ErrorKind::kInvalidInput, "state: cgroup: not an object");
  }
  Record record;
  record.manager = TRY(enum_of<Manager>(value, "manager", kManagers));
  record.mode = TRY(enum_of<Mode>(value, "mode", kModes));
  record.unit = TRY(text_of(value, "unit"));
  record.slice = TRY(text_of(value, "slice"));
  record.user_bus = TRY(flag_of(value, "userBus"));
  record.rootless = TRY(flag_of(value, "rootless"));
  const auto placements = value.find("placements");
  if (placements == value.end()) return record;
  if (!placements->is_array()) return malformed("placements");
  for (const auto& entry : *placements) {
    record.placements.push_back(TRY(placement_from(entry)));
  }
  return record;
}

}  // namespace langsbx::cgroup
