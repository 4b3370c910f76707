// org.systemd.property.* annotations. They reach systemd as root, and clients hand on what users
// wrote (CVE-2024-3154: ExecStartPre on the host), so only names that limit or describe pass.
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "runtime/cgroup/systemd/quote.h"
#include "runtime/cgroup/systemd/unit.h"

namespace langsbx::cgroup::systemd {
namespace {

struct Allowed {
  std::string_view name;
  std::string_view signature;
};

constexpr Allowed kAllowed[] = {
    {"After", "as"},
    {"Before", "as"},
    {"CollectMode", "s"},
    {"CPUQuotaPerSecUSec", "t"},
    {"CPUQuotaPeriodUSec", "t"},
    {"CPUWeight", "t"},
    {"DefaultDependencies", "b"},
    {"Description", "s"},
    {"Documentation", "as"},
    {"FinalKillSignal", "i"},
    {"IOWeight", "t"},
    {"KillMode", "s"},
    {"KillSignal", "i"},
    {"ManagedOOMMemoryPressure", "s"},
    {"ManagedOOMMemoryPressureLimit", "u"},
    {"ManagedOOMPreference", "s"},
    {"ManagedOOMSwap", "s"},
    {"MemoryHigh", "t"},
    {"MemoryLow", "t"},
    {"MemoryMax", "t"},
    {"MemoryMin", "t"},
    {"MemorySwapMax", "t"},
    {"OOMPolicy", "s"},
    {"RuntimeMaxUSec", "t"},
    {"SendSIGHUP", "b"},
    {"SendSIGKILL", "b"},
    {"StartupCPUWeight", "t"},
    {"StartupIOWeight", "t"},
    {"TasksMax", "t"},
    {"TimeoutStopUSec", "t"},
    {"WatchdogSignal", "i"},
};

constexpr std::string_view kPrefix = "org.systemd.property.";

const Allowed* find_allowed(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kAllowed), std::end(kAllowed),
                                         [&](const Allowed& entry) { return entry.name == name; });
  return found == std::end(kAllowed) ? nullptr : found;
}

// "TimeoutStopSec" is a spelling of unit files; D-Bus has only TimeoutStopUSec, in microseconds.
Result<std::string> seconds_to_micros(std::string_view text) {
  for (const char* signature : {"t", "d"}) {
    const auto value = parse_gvariant(text, signature);
    if (!value.ok()) continue;
    const double seconds = std::strtod(value->c_str(), nullptr);
    constexpr double kLargest = 1e12;
    if (seconds < 0 || seconds > kLargest) break;
    return std::to_string(static_cast<std::uint64_t>(seconds * 1e6));
  }
  return make_error(ErrorKind::kInvalidInput, "\"" + std::string(text) + "\" is not in seconds");
}

}  // namespace

Result<std::vector<UnitProperty>> annotation_properties(
    const std::map<std::string, std::string>& annotations) {
  std::vector<UnitProperty> properties;
  for (auto entry = annotations.lower_bound(std::string(kPrefix));
       entry != annotations.end() && entry->first.starts_with(kPrefix); ++entry) {
    const auto& [key, value] = *entry;
    std::string name = key.substr(kPrefix.size());
    const bool seconds = name.ends_with("Sec") && !name.ends_with("USec");
    if (seconds) name.insert(name.size() - 3, "U");
    const auto* allowed = find_allowed(name);
    if (allowed == nullptr) {
      return make_error(ErrorKind::kInvalidInput,
                        "annotations: " + key + ": this property may not be set by annotation");
    }
    auto json =
        TRY_CONTEXT(seconds ? seconds_to_micros(value) : parse_gvariant(value, allowed->signature),
                    "annotations: " + key);
    properties.push_back({std::move(name), std::string(allowed->signature), std::move(json)});
  }
  return properties;
}

}  // namespace langsbx::cgroup::systemd
