// Tables of `linux`, without resources (table_resources.cc) and seccomp (table_security.cc).
#include <array>
#include <string_view>
#include <utility>

#include "oci/tables.h"

namespace langsbx::oci::decode {
namespace {

constexpr Field kIdMappingFields[] = {
    required(field<&IdMapping::container_id>("containerID")),
    required(field<&IdMapping::host_id>("hostID")),
    required(field<&IdMapping::size>("size")),
};

std::string store_namespace_type(void* target, const Scalar& scalar) {
  using enum NamespaceType;
  static constexpr std::array<std::pair<std::string_view, NamespaceType>, 8> kNames{{
      {"pid", kPid},
      {"network", kNetwork},
      {"mount", kMount},
      {"ipc", kIpc},
      {"uts", kUts},
      {"user", kUser},
      {"cgroup", kCgroup},
      {"time", kTime},
  }};
  for (const auto& [name, type] : kNames) {
    if (name != scalar.text) continue;
    *static_cast<NamespaceType*>(target) = type;
    return {};
  }
  return "unknown namespace \"" + std::string(scalar.text) + "\"";
}
constexpr Type kNamespaceType{.expected = Expected::kString,
                              .accepts = accepts(ScalarKind::kString),
                              .store = store_namespace_type};
constexpr Field kNamespaceFields[] = {
    required(field<&Namespace::type>("type", &kNamespaceType)),
    field<&Namespace::path>("path"),
};
constexpr Type kNamespace = object<kNamespaceFields>();
constexpr Type kNamespaces = array<std::vector<Namespace>, &kNamespace>();

constexpr Field kDeviceFields[] = {
    required(field<&Device::path>("path")), required(field<&Device::type>("type")),
    field<&Device::major>("major"),         field<&Device::minor>("minor"),
    field<&Device::file_mode>("fileMode"),  field<&Device::uid>("uid", &kId),
    field<&Device::gid>("gid", &kId),
};
constexpr Type kDevice = object<kDeviceFields>();
constexpr Type kDevices = array<std::vector<Device>, &kDevice>();

constexpr Type kNanoseconds = kInteger<std::uint32_t, 0, 999'999'999>;
constexpr Field kTimeOffsetFields[] = {
    field<&TimeOffset::secs>("secs"),
    field<&TimeOffset::nanosecs>("nanosecs", &kNanoseconds),
};
constexpr Type kTimeOffset = object<kTimeOffsetFields>();
constexpr Type kTimeOffsets = map<std::map<std::string, TimeOffset>, &kTimeOffset>();

constexpr Field kNetDeviceFields[] = {field<&NetDevice::name>("name")};
constexpr Type kNetDevice = object<kNetDeviceFields>();
constexpr Type kNetDevices = map<std::map<std::string, NetDevice>, &kNetDevice>();

constexpr Field kIntelRdtFields[] = {
    field<&IntelRdt::clos_id>("closID"),
    field<&IntelRdt::schemata>("schemata"),
    field<&IntelRdt::l3_cache_schema>("l3CacheSchema"),
    field<&IntelRdt::mem_bw_schema>("memBwSchema"),
    field<&IntelRdt::enable_monitoring>("enableMonitoring"),
};
constexpr Type kIntelRdt = object<kIntelRdtFields>();

constexpr Field kMemoryPolicyFields[] = {
    field<&MemoryPolicy::mode>("mode"),  // needed: an empty one is no mode
    field<&MemoryPolicy::nodes>("nodes"),
    field<&MemoryPolicy::flags>("flags"),
};
constexpr Type kMemoryPolicy = object<kMemoryPolicyFields>();

constexpr Field kPersonalityFields[] = {
    field<&Personality::domain>("domain"),
    field<&Personality::flags>("flags"),
};
constexpr Type kPersonality = object<kPersonalityFields>();

constexpr Field kLinuxFields[] = {
    field<&Linux::uid_mappings>("uidMappings"),
    field<&Linux::gid_mappings>("gidMappings"),
    field<&Linux::time_offsets>("timeOffsets", &kTimeOffsets),
    field<&Linux::namespaces>("namespaces", &kNamespaces),
    field<&Linux::devices>("devices", &kDevices),
    field<&Linux::net_devices>("netDevices", &kNetDevices),
    field<&Linux::cgroups_path>("cgroupsPath"),
    field<&Linux::resources>("resources"),
    field<&Linux::rootfs_propagation>("rootfsPropagation"),
    field<&Linux::seccomp>("seccomp"),
    field<&Linux::masked_paths>("maskedPaths"),
    field<&Linux::readonly_paths>("readonlyPaths"),
    field<&Linux::mount_label>("mountLabel"),
    field<&Linux::sysctl>("sysctl"),
    field<&Linux::intel_rdt>("intelRdt", &kIntelRdt),
    field<&Linux::memory_policy>("memoryPolicy", &kMemoryPolicy),
    field<&Linux::personality>("personality", &kPersonality),
};

}  // namespace

constinit const Type kIdMappingTable = object<kIdMappingFields>();
constinit const Type kLinuxTable = object<kLinuxFields>();

}  // namespace langsbx::oci::decode
