// Device nodes: the defaults of the specification, then those of config.json.
#include "runtime/plan/devices.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <string_view>

namespace langsbx::plan {
namespace {

struct DefaultDevice {
  std::string_view path;
  unsigned major_number;
  unsigned minor_number;
};
constexpr DefaultDevice kDefaults[] = {
    {"/dev/null", 1, 3},   {"/dev/zero", 1, 5},    {"/dev/full", 1, 7},
    {"/dev/random", 1, 8}, {"/dev/urandom", 1, 9}, {"/dev/tty", 5, 0},
};

Result<mode_t> type_of(const oci::Device& device, const std::string& field) {
  if (device.type == "c" || device.type == "u") return mode_t{S_IFCHR};
  if (device.type == "b") return mode_t{S_IFBLK};
  if (device.type == "p") return mode_t{S_IFIFO};
  return make_error(ErrorKind::kInvalidInput,
                    field + ".type: \"" + device.type + "\" is none of c, b, u, p");
}

}  // namespace

Result<std::vector<DeviceStep>> plan_devices(const std::vector<oci::Device>& devices,
                                             bool with_defaults) {
  std::vector<DeviceStep> steps;
  if (with_defaults) {
    for (const auto& device : kDefaults) {
      DeviceStep step;
      step.path = device.path;
      step.mode = S_IFCHR | 0666;
      step.number = makedev(device.major_number, device.minor_number);
      steps.push_back(std::move(step));
    }
  }
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const auto& device = devices[i];
    const std::string field = "linux.devices[" + std::to_string(i) + "]";
    DeviceStep step;
    step.path = clean_path(device.path);
    if (step.path == "/") return make_error(ErrorKind::kInvalidInput, field + ".path: empty");
    // Made by the devpts mount; a node of that name would be replaced by a link anyway.
    if (step.path == "/dev/ptmx") continue;
    const mode_t type = TRY(type_of(device, field));
    if (type != S_IFIFO && (device.major < 0 || device.minor < 0)) {
      return make_error(ErrorKind::kInvalidInput, field + ".major: negative device number");
    }
    step.mode = type | (device.file_mode.value_or(0666) & 07777U);
    if (type != S_IFIFO) {
      step.number =
          makedev(static_cast<unsigned>(device.major), static_cast<unsigned>(device.minor));
    }
    step.uid = device.uid.value_or(0);
    step.gid = device.gid.value_or(0);
    const auto same = std::find_if(steps.begin(), steps.end(), [&](const DeviceStep& other) {
      return other.path == step.path;
    });
    if (same != steps.end()) {
      *same = std::move(step);  // config.json may give a default node other owners or modes
    } else {
      steps.push_back(std::move(step));
    }
  }
  return steps;
}

}  // namespace langsbx::plan
