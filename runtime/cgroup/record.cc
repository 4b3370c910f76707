// The cgroup part of the state file.
#include <algorithm>

#include "oci/decode.h"
#include "runtime/base/json_writer.h"
#include "runtime/base/text_list.h"
#include "runtime/cgroup/cgroup.h"

namespace langsbx::cgroup {
namespace {

namespace decode = oci::decode;

constexpr auto kModes = text_list("none", "v1", "hybrid", "v2");
constexpr auto kManagers = text_list("cgroupfs", "systemd", "disabled");

Error malformed(const std::string& member) {
  return make_error(ErrorKind::kInvalidInput, "state: cgroup." + member + ": missing or malformed");
}

// As the file has it.
struct Stored {
  std::string manager;
  std::string mode;
  std::vector<Placement> placements;
  std::string unit;
  std::string slice;
  bool user_bus = false;
  bool rootless = false;
};

constexpr decode::Field kPlacementFields[] = {
    decode::required(decode::field<&Placement::directory>("directory")),
    decode::required(decode::field<&Placement::mount_point>("mount")),
    decode::field<&Placement::controllers>("controllers"),
};
constexpr decode::Type kPlacement = decode::object<kPlacementFields>();
constexpr decode::Type kPlacements = decode::array<std::vector<Placement>, &kPlacement>();
constexpr decode::Field kStoredFields[] = {
    decode::required(decode::field<&Stored::manager>("manager")),
    decode::required(decode::field<&Stored::mode>("mode")),
    decode::field<&Stored::placements>("placements", &kPlacements),
    decode::field<&Stored::unit>("unit"),
    decode::field<&Stored::slice>("slice"),
    decode::field<&Stored::user_bus>("userBus"),
    decode::field<&Stored::rootless>("rootless"),
};
constexpr decode::Type kStored = decode::object<kStoredFields>();

template <typename Enum, typename Names>
Result<Enum> enum_of(const std::string& text, const char* member, const Names& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (text == names[i]) return static_cast<Enum>(i);
  }
  return malformed(member);
}

// delete removes this directory: never the mount itself, never a relative path.
bool may_be_removed(const Placement& placement) {
  return placement.mount_point.starts_with('/') &&
         placement.directory.starts_with(placement.mount_point + "/");
}

// About.
std::size_t size_of(const Record& record) {
  constexpr std::size_t kOfOne = 64;
  std::size_t size = 2 * kOfOne + record.unit.size() + record.slice.size();
  for (const auto& placement : record.placements) {
    size += kOfOne + placement.mount_point.size() + placement.directory.size();
  }
  return size;
}

}  // namespace

std::string to_json(const Record& record) {
  JsonWriter out(size_of(record));
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
  Stored stored;
  TRY(decode::decode(text, kStored, &stored, "state: cgroup"));
  Record record;
  record.manager = TRY(enum_of<Manager>(stored.manager, "manager", kManagers));
  record.mode = TRY(enum_of<Mode>(stored.mode, "mode", kModes));
  if (!std::all_of(stored.placements.begin(), stored.placements.end(), may_be_removed)) {
    return malformed("placements");
  }
  record.placements = std::move(stored.placements);
  record.unit = std::move(stored.unit);
  record.slice = std::move(stored.slice);
  record.user_bus = stored.user_bus;
  record.rootless = stored.rootless;
  return record;
}

}  // namespace langsbx::cgroup
