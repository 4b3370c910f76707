// Tables of `linux.resources`: also the document of `update --resources`.
#include "oci/tables.h"

namespace langsbx::oci::decode {
namespace {

constexpr Field kDeviceRuleFields[] = {
    required(field<&DeviceRule::allow>("allow")), field<&DeviceRule::type>("type"),
    field<&DeviceRule::major>("major"),           field<&DeviceRule::minor>("minor"),
    field<&DeviceRule::access>("access"),
};
constexpr Type kDeviceRule = object<kDeviceRuleFields>();
constexpr Type kDeviceRules = array<std::vector<DeviceRule>, &kDeviceRule>();

constexpr Field kMemoryFields[] = {
    field<&MemoryResources::limit>("limit"),
    field<&MemoryResources::reservation>("reservation"),
    field<&MemoryResources::swap>("swap"),
    field<&MemoryResources::kernel>("kernel"),
    field<&MemoryResources::kernel_tcp>("kernelTCP"),
    field<&MemoryResources::swappiness>("swappiness"),
    field<&MemoryResources::disable_oom_killer>("disableOOMKiller"),
    field<&MemoryResources::use_hierarchy>("useHierarchy"),
    field<&MemoryResources::check_before_update>("checkBeforeUpdate"),
};
constexpr Type kMemory = object<kMemoryFields>();

constexpr Field kCpuFields[] = {
    field<&CpuResources::shares>("shares"),
    field<&CpuResources::quota>("quota"),
    field<&CpuResources::burst>("burst"),
    field<&CpuResources::period>("period"),
    field<&CpuResources::realtime_runtime>("realtimeRuntime"),
    field<&CpuResources::realtime_period>("realtimePeriod"),
    field<&CpuResources::cpus>("cpus"),
    field<&CpuResources::mems>("mems"),
    field<&CpuResources::idle>("idle"),
};
constexpr Type kCpu = object<kCpuFields>();

constexpr Field kPidsFields[] = {field<&Resources::pids_limit>("limit")};
constexpr Type kPids = object<kPidsFields>();

constexpr Field kWeightDeviceFields[] = {
    required(field<&WeightDevice::major>("major")),
    required(field<&WeightDevice::minor>("minor")),
    field<&WeightDevice::weight>("weight"),
    field<&WeightDevice::leaf_weight>("leafWeight"),
};
constexpr Type kWeightDevice = object<kWeightDeviceFields>();
constexpr Type kWeightDevices = array<std::vector<WeightDevice>, &kWeightDevice>();

constexpr Field kThrottleDeviceFields[] = {
    required(field<&ThrottleDevice::major>("major")),
    required(field<&ThrottleDevice::minor>("minor")),
    required(field<&ThrottleDevice::rate>("rate")),
};
constexpr Type kThrottleDevice = object<kThrottleDeviceFields>();
constexpr Type kThrottleDevices = array<std::vector<ThrottleDevice>, &kThrottleDevice>();

constexpr Field kBlockIoFields[] = {
    field<&BlockIoResources::weight>("weight"),
    field<&BlockIoResources::leaf_weight>("leafWeight"),
    field<&BlockIoResources::weight_device>("weightDevice", &kWeightDevices),
    field<&BlockIoResources::throttle_read_bps>("throttleReadBpsDevice", &kThrottleDevices),
    field<&BlockIoResources::throttle_write_bps>("throttleWriteBpsDevice", &kThrottleDevices),
    field<&BlockIoResources::throttle_read_iops>("throttleReadIOPSDevice", &kThrottleDevices),
    field<&BlockIoResources::throttle_write_iops>("throttleWriteIOPSDevice", &kThrottleDevices),
};
constexpr Type kBlockIo = object<kBlockIoFields>();

constexpr Field kHugepageLimitFields[] = {
    required(field<&HugepageLimit::page_size>("pageSize")),
    required(field<&HugepageLimit::limit>("limit")),
};
constexpr Type kHugepageLimit = object<kHugepageLimitFields>();
constexpr Type kHugepageLimits = array<std::vector<HugepageLimit>, &kHugepageLimit>();

constexpr Field kInterfacePriorityFields[] = {
    required(field<&InterfacePriority::name>("name")),
    required(field<&InterfacePriority::priority>("priority")),
};
constexpr Type kInterfacePriority = object<kInterfacePriorityFields>();
constexpr Type kInterfacePriorities = array<std::vector<InterfacePriority>, &kInterfacePriority>();

constexpr Field kNetworkFields[] = {
    field<&NetworkResources::class_id>("classID"),
    field<&NetworkResources::priorities>("priorities", &kInterfacePriorities),
};
constexpr Type kNetwork = object<kNetworkFields>();

constexpr Field kRdmaLimitFields[] = {
    field<&RdmaLimit::hca_handles>("hcaHandles"),
    field<&RdmaLimit::hca_objects>("hcaObjects"),
};
constexpr Type kRdmaLimit = object<kRdmaLimitFields>();
constexpr Type kRdma = map<std::map<std::string, RdmaLimit>, &kRdmaLimit>();

constexpr Field kResourcesFields[] = {
    field<&Resources::devices>("devices", &kDeviceRules),
    field<&Resources::memory>("memory", &kMemory),
    field<&Resources::cpu>("cpu", &kCpu),
    nested("pids", &kPids),
    field<&Resources::block_io>("blockIO", &kBlockIo),
    field<&Resources::hugepage_limits>("hugepageLimits", &kHugepageLimits),
    field<&Resources::network>("network", &kNetwork),
    field<&Resources::rdma>("rdma", &kRdma),
    field<&Resources::unified>("unified"),
};

}  // namespace

constinit const Type kResourcesTable = object<kResourcesFields>();

}  // namespace langsbx::oci::decode
