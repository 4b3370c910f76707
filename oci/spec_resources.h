// linux.resources of config.json as values; also what `update` reads.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace langsbx::oci {

struct DeviceRule {
  bool allow = false;
  std::string type;                   // "a", "b", "c" or empty (= "a")
  std::optional<std::int64_t> major;  // absent or -1: all
  std::optional<std::int64_t> minor;
  std::string access;  // of "rwm"; empty: all
};

struct MemoryResources {
  std::optional<std::int64_t> limit;
  std::optional<std::int64_t> reservation;
  std::optional<std::int64_t> swap;
  std::optional<std::int64_t> kernel;
  std::optional<std::int64_t> kernel_tcp;
  std::optional<std::uint64_t> swappiness;
  std::optional<bool> disable_oom_killer;
  std::optional<bool> use_hierarchy;
  std::optional<bool> check_before_update;
};

struct CpuResources {
  std::optional<std::uint64_t> shares;
  std::optional<std::int64_t> quota;
  std::optional<std::uint64_t> burst;
  std::optional<std::uint64_t> period;
  std::optional<std::int64_t> realtime_runtime;
  std::optional<std::uint64_t> realtime_period;
  std::string cpus;
  std::string mems;
  std::optional<std::int64_t> idle;
};

struct WeightDevice {
  std::int64_t major = 0;
  std::int64_t minor = 0;
  std::optional<std::uint16_t> weight;
  std::optional<std::uint16_t> leaf_weight;
};

struct ThrottleDevice {
  std::int64_t major = 0;
  std::int64_t minor = 0;
  std::uint64_t rate = 0;
};

struct BlockIoResources {
  std::optional<std::uint16_t> weight;
  std::optional<std::uint16_t> leaf_weight;
  std::vector<WeightDevice> weight_device;
  std::vector<ThrottleDevice> throttle_read_bps;
  std::vector<ThrottleDevice> throttle_write_bps;
  std::vector<ThrottleDevice> throttle_read_iops;
  std::vector<ThrottleDevice> throttle_write_iops;
};

struct HugepageLimit {
  std::string page_size;
  std::uint64_t limit = 0;
};

struct InterfacePriority {
  std::string name;
  std::uint32_t priority = 0;
};

struct NetworkResources {
  std::optional<std::uint32_t> class_id;
  std::vector<InterfacePriority> priorities;
};

struct RdmaLimit {
  std::optional<std::uint32_t> hca_handles;
  std::optional<std::uint32_t> hca_objects;
};

struct Resources {
  std::vector<DeviceRule> devices;
  std::optional<MemoryResources> memory;
  std::optional<CpuResources> cpu;
  std::optional<std::int64_t> pids_limit;
  std::optional<BlockIoResources> block_io;
  std::vector<HugepageLimit> hugepage_limits;
  std::optional<NetworkResources> network;
  std::map<std::string, RdmaLimit> rdma;
  std::map<std::string, std::string> unified;
};

}  // namespace langsbx::oci
