// Names of units and slices, and the whole list of properties of a container's unit.
#include "runtime/cgroup/systemd/unit.h"

#include <algorithm>

#include "runtime/cgroup/devices.h"
#include "runtime/cgroup/systemd/quote.h"
#include "runtime/cgroup/text.h"

namespace langsbx::cgroup::systemd {
namespace {

constexpr std::string_view kSlice = ".slice";
constexpr std::size_t kLongestName = 255;

Error bad_path(const std::string& path, const std::string& why) {
  return make_error(ErrorKind::kInvalidInput, "linux.cgroupsPath: \"" + path + "\": " + why);
}

bool is_unit_name(std::string_view name) {
  const auto allowed = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') ||
           std::string_view(":-_.\\@").find(letter) != std::string_view::npos;
  };
  return !name.empty() && name.size() <= kLongestName &&
         std::all_of(name.begin(), name.end(), allowed);
}

// "/dev/char/1:3", "char-136", "char-*", as systemd names devices.
std::string device_name(const DeviceAccess& rule) {
  const std::string type = rule.type == DeviceType::kBlock ? "block" : "char";
  if (rule.major == kEveryNumber) return type + "-*";
  if (rule.minor == kEveryNumber) return type + "-" + std::to_string(rule.major);
  return "/dev/" + type + "/" + std::to_string(rule.major) + ":" + std::to_string(rule.minor);
}

// systemd knows only a list of what is allowed. It stands beside our own rules, so that a reload of
// systemd does not open what those close (v1, where both write the same file).
void add_devices(const oci::Resources& resources, std::vector<UnitProperty>& properties) {
  const auto rules = device_rules(resources.devices);
  if (!rules.ok()) return;  // refused with its reason where the rules are planned
  const auto policy = device_exceptions(*rules);
  if (!policy.ok() || policy->default_allow) return;
  std::string json = "[";
  for (const auto& exception : policy->exceptions) {
    // "* of any major with this minor" can't be said: our own rules alone decide then.
    if (exception.major == kEveryNumber && exception.minor != kEveryNumber) return;
    std::string access = device_line(exception);
    access.erase(0, access.rfind(' ') + 1);
    json.append(json.size() > 1 ? "," : "").append("[").append(quote(device_name(exception)));
    json.append(",").append(quote(access)).append("]");
  }
  // The policy first: it decides how the list is read.
  properties.push_back(text_property("DevicePolicy", "strict"));
  properties.push_back({"DeviceAllow", "a(ss)", json + "]"});
}

Result<std::string> subgroup_of(const std::map<std::string, std::string>& annotations, Mode mode) {
  const auto found = annotations.find("run.oci.systemd.subgroup");
  if (found == annotations.end() || found->second.empty()) return std::string();
  if (mode != Mode::kV2) return std::string();
  if (found->second.find('/') != std::string::npos || found->second == ".." ||
      found->second == ".") {
    return make_error(ErrorKind::kInvalidInput, "annotations: run.oci.systemd.subgroup: \"" +
                                                    found->second + "\" is not a plain name");
  }
  return found->second;
}

}  // namespace

Result<Unit> parse_unit_path(const std::string& path, const std::string& id, bool rootless) {
  const std::string whole = path.empty() ? ":langsbx:" + id : path;
  const auto first = whole.find(':');
  const auto second = whole.find(':', first == std::string::npos ? first : first + 1);
  if (second == std::string::npos || whole.find(':', second + 1) != std::string::npos) {
    return bad_path(whole, "expected \"slice:prefix:name\" for the systemd cgroup driver");
  }
  Unit unit;
  unit.slice = whole.substr(0, first);
  const std::string prefix = whole.substr(first + 1, second - first - 1);
  const std::string name = whole.substr(second + 1);
  if (name.empty()) return bad_path(whole, "the unit has no name");
  if (unit.slice.empty()) unit.slice = rootless ? "user.slice" : "system.slice";
  if (unit.slice == "-") unit.slice = "-.slice";
  TRY(expand_slice(unit.slice));
  if (name.ends_with(kSlice)) {
    unit.name = name;
    TRY(expand_slice(unit.name));
  } else {
    unit.name = (prefix.empty() ? name : prefix + "-" + name) + ".scope";
  }
  if (!is_unit_name(unit.name)) {
    return bad_path(whole, "\"" + unit.name + "\" is not a name for a systemd unit");
  }
  unit.user_bus = rootless;
  return unit;
}

Result<std::string> expand_slice(const std::string& slice) {
  if (slice == "-.slice") return std::string("/");
  const auto bad = [&](const char* why) { return bad_path(slice, why); };
  if (!slice.ends_with(kSlice) || slice.size() == kSlice.size()) {
    return bad("a slice is named NAME.slice");
  }
  if (!is_unit_name(slice)) return bad("not a name for a slice");
  const std::string_view stem = std::string_view(slice).substr(0, slice.size() - kSlice.size());
  if (stem.front() == '-' || stem.back() == '-' || stem.find("--") != std::string_view::npos) {
    return bad("a dash must stand between two names");
  }
  std::string path;
  std::string prefix;
  for (const auto part : split(stem, '-')) {
    prefix.append(prefix.empty() ? "" : "-").append(part);
    path.append("/").append(prefix).append(kSlice);
  }
  return path;
}

Result<Unit> plan_unit(const Config& config, const oci::Resources& resources, const Host& host) {
  static const std::map<std::string, std::string> none;
  const auto& annotations = config.annotations != nullptr ? *config.annotations : none;
  Unit unit = TRY(parse_unit_path(config.path, config.id, config.rootless));
  unit.subgroup = TRY(subgroup_of(annotations, host.mode));
  auto& properties = unit.properties;
  properties.push_back(text_property("Description", "langsbx container " + config.id));
  if (unit.name.ends_with(kSlice)) {
    properties.push_back(list_property("Wants", {unit.slice}));
  } else {
    properties.push_back(text_property("Slice", unit.slice));
    properties.push_back(flag_property("Delegate", true));
  }
  properties.push_back(flag_property("MemoryAccounting", true));
  properties.push_back(flag_property("CPUAccounting", true));
  properties.push_back(
      flag_property(host.mode == Mode::kV2 ? "IOAccounting" : "BlockIOAccounting", true));
  properties.push_back(flag_property("TasksAccounting", true));
  properties.push_back(flag_property("DefaultDependencies", false));
  if (!config.rootless) add_devices(resources, properties);
  for (auto& property : TRY(resource_properties(resources, host.mode))) {
    properties.push_back(std::move(property));
  }
  for (auto& property : TRY(annotation_properties(annotations))) {
    std::erase_if(properties, [&](const UnitProperty& old) { return old.name == property.name; });
    properties.push_back(std::move(property));
  }
  return unit;
}

}  // namespace langsbx::cgroup::systemd
