// v1 devices: the default, then every exception.
#include <utility>

#include "runtime/cgroup/controllers.h"
#include "runtime/cgroup/devices.h"

namespace langsbx::cgroup::v1 {

Result<void> plan_devices(const std::vector<oci::DeviceRule>& rules, Writes& out) {
  const auto policy = TRY(device_exceptions(TRY(device_rules(rules))));
  out.add("devices", policy.default_allow ? "devices.allow" : "devices.deny", "a", "devices");
  constexpr std::size_t kUsualLine = 16;
  std::string lines;
  lines.reserve(kUsualLine * policy.exceptions.size());
  for (const auto& exception : policy.exceptions) {
    append_device_line(lines, exception);
    lines += '\n';
  }
  if (lines.empty()) return {};
  out.add("devices", policy.default_allow ? "devices.deny" : "devices.allow", std::move(lines),
          "devices")
      .by_line = true;
  return {};
}

}  // namespace langsbx::cgroup::v1
