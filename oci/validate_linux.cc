// Rules of `linux`: namespaces, mappings, devices, paths, and the smaller objects.
#include <algorithm>
#include <array>
#include <string>

#include "oci/validate.h"
#include "oci/validate_parts.h"
#include "runtime/base/text_list.h"

namespace langsbx::oci {
namespace {

constexpr auto kNamespaceNames =
    text_list("pid", "network", "mount", "ipc", "uts", "user", "cgroup", "time");

Result<void> check_namespaces(const std::vector<Namespace>& namespaces) {
  std::array<bool, kNamespaceNames.size()> seen{};
  for (std::size_t i = 0; i < namespaces.size(); ++i) {
    const auto type = static_cast<std::size_t>(namespaces[i].type);
    const std::string path = at("linux.namespaces", i);
    if (seen[type])
      return invalid(path + ".type",
                     "duplicate " + std::string(kNamespaceNames[type]) + " namespace");
    seen[type] = true;
    if (!namespaces[i].path.empty() && !is_absolute(namespaces[i].path))
      return invalid(path + ".path", "is not absolute: \"" + namespaces[i].path + "\"");
  }
  return {};
}

Result<void> check_namespace_needs(const Linux& config) {
  const auto has = [&](NamespaceType type) {
    return find_namespace(config.namespaces, type) != nullptr;
  };
  if (!config.uid_mappings.empty() && !has(NamespaceType::kUser))
    return invalid("linux.uidMappings", "needs a user namespace");
  if (!config.gid_mappings.empty() && !has(NamespaceType::kUser))
    return invalid("linux.gidMappings", "needs a user namespace");
  if (!config.net_devices.empty() && !has(NamespaceType::kNetwork))
    return invalid("linux.netDevices", "needs a network namespace");
  const Namespace* const time = find_namespace(config.namespaces, NamespaceType::kTime);
  if (!config.time_offsets.empty() && (time == nullptr || !time->path.empty()))
    return invalid("linux.timeOffsets", "needs a new time namespace");
  for (const auto& [clock, offset] : config.time_offsets) {
    if (clock != "monotonic" && clock != "boottime")
      return invalid("linux.timeOffsets", "unknown clock \"" + clock + "\"");
  }
  return {};
}

Result<void> check_devices(const std::vector<Device>& devices) {
  constexpr std::int64_t kHighestMajor = (1 << 12) - 1;
  constexpr std::int64_t kHighestMinor = (1 << 20) - 1;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const Device& device = devices[i];
    const std::string path = at("linux.devices", i);
    if (!is_absolute(device.path))
      return invalid(path + ".path", "is not absolute: \"" + device.path + "\"");
    if (device.type.size() != 1 || std::string_view("cbup").find(device.type) == std::string::npos)
      return invalid(path + ".type", "expected c, b, u or p, found \"" + device.type + "\"");
    if (device.type == "p") continue;
    if (device.major < 0 || device.major > kHighestMajor)
      return invalid(path + ".major", "is out of range");
    if (device.minor < 0 || device.minor > kHighestMinor)
      return invalid(path + ".minor", "is out of range");
  }
  return {};
}

bool is_interface_name(std::string_view name) {
  constexpr std::size_t kLongest = 15;  // IFNAMSIZ - 1
  if (name.empty() || name.size() > kLongest || name == "." || name == "..") return false;
  return name.find_first_of("/: \t\n\v\f\r") == std::string_view::npos;
}

Result<void> check_net_devices(const std::map<std::string, NetDevice>& devices) {
  for (const auto& [name, device] : devices) {
    const std::string path = "linux.netDevices[\"" + name + "\"]";
    if (!is_interface_name(name)) return invalid(path, "is not the name of a network interface");
    if (!device.name.empty() && !is_interface_name(device.name))
      return invalid(path + ".name", "is not the name of a network interface");
  }
  return {};
}

Result<void> check_rootfs_propagation(std::string_view value) {
  constexpr std::array<std::string_view, 9> kKnown{"",         "shared",     "rshared",
                                                   "slave",    "rslave",     "private",
                                                   "rprivate", "unbindable", "runbindable"};
  if (std::find(kKnown.begin(), kKnown.end(), value) != kKnown.end()) return {};
  return invalid("linux.rootfsPropagation", "unknown propagation \"" + std::string(value) + "\"");
}

Result<void> check_personality(const Personality& personality) {
  if (personality.domain != "LINUX" && personality.domain != "LINUX32")
    return invalid("linux.personality.domain",
                   "expected LINUX or LINUX32, found \"" + personality.domain + "\"");
  if (!personality.flags.empty())
    return invalid("linux.personality.flags", "no flags are supported");
  return {};
}

// It becomes the name of a directory in /sys/fs/resctrl; "/" is the default class.
Result<void> check_intel_rdt(const IntelRdt& rdt) {
  if (rdt.clos_id == "/") return {};
  if (rdt.clos_id == "." || rdt.clos_id == ".." ||
      rdt.clos_id.find_first_of("/\n") != std::string::npos)
    return invalid("linux.intelRdt.closID",
                   "is not the name of a directory: \"" + rdt.clos_id + "\"");
  return {};
}

Result<void> check_seccomp(const Seccomp& seccomp) {
  if (!seccomp.listener_metadata.empty() && seccomp.listener_path.empty())
    return invalid("linux.seccomp.listenerMetadata", "needs listenerPath");
  return {};
}

// By first id and by the other side's: neither may overlap.
Result<void> check_overlap(const std::vector<IdMapping>& mappings, std::string_view path,
                           std::uint32_t IdMapping::*first) {
  std::vector<std::size_t> order(mappings.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return mappings[left].*first < mappings[right].*first;
  });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const IdMapping& before = mappings[order[i - 1]];
    if (std::uint64_t{before.*first} + before.size > mappings[order[i]].*first)
      return invalid(at(path, order[i]), "overlaps " + at(path, order[i - 1]));
  }
  return {};
}

}  // namespace

const Namespace* find_namespace(const std::vector<Namespace>& namespaces, NamespaceType type) {
  const auto found = std::find_if(namespaces.begin(), namespaces.end(),
                                  [&](const Namespace& one) { return one.type == type; });
  return found == namespaces.end() ? nullptr : &*found;
}

Result<void> validate_mappings(const std::vector<IdMapping>& mappings, std::string_view path) {
  constexpr std::uint64_t kIds = std::uint64_t{1} << 32U;
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    const IdMapping& one = mappings[i];
    if (one.size == 0) return invalid(at(path, i) + ".size", "must be greater than zero");
    if (one.container_id + std::uint64_t{one.size} > kIds ||
        one.host_id + std::uint64_t{one.size} > kIds)
      return invalid(at(path, i) + ".size", "goes beyond the highest id");
  }
  TRY(check_overlap(mappings, path, &IdMapping::container_id));
  return check_overlap(mappings, path, &IdMapping::host_id);
}

Result<void> validate(const Resources& resources, std::string_view path) {
  for (std::size_t i = 0; i < resources.devices.size(); ++i) {
    const DeviceRule& rule = resources.devices[i];
    const std::string where = std::string(path) + at("devices", i);
    if (!rule.type.empty() && rule.type != "a" && rule.type != "b" && rule.type != "c")
      return invalid(where + ".type", "expected a, b or c, found \"" + rule.type + "\"");
    // runc passes over other letters beside these ("rwa"); what each means is cgroup/devices.cc's.
    if (!rule.access.empty() && rule.access.find_first_of("rwm") == std::string::npos)
      return invalid(where + ".access", "expected letters of rwm, found \"" + rule.access + "\"");
    if (rule.major.value_or(0) < -1) return invalid(where + ".major", "is out of range");
    if (rule.minor.value_or(0) < -1) return invalid(where + ".minor", "is out of range");
  }
  return {};
}

Result<void> validate_linux(const Linux& config) {
  TRY(check_namespaces(config.namespaces));
  TRY(validate_mappings(config.uid_mappings, "linux.uidMappings"));
  TRY(validate_mappings(config.gid_mappings, "linux.gidMappings"));
  TRY(check_namespace_needs(config));
  TRY(check_devices(config.devices));
  TRY(check_net_devices(config.net_devices));
  TRY(check_rootfs_propagation(config.rootfs_propagation));
  if (config.resources) TRY(validate(*config.resources, "linux.resources."));
  if (config.seccomp) TRY(check_seccomp(*config.seccomp));
  if (config.personality) TRY(check_personality(*config.personality));
  if (config.intel_rdt) TRY(check_intel_rdt(*config.intel_rdt));
  return {};
}

}  // namespace langsbx::oci
