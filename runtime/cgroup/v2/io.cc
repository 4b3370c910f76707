// v2 io: weights of BFQ or of io.cost, limits.
#include "runtime/cgroup/controllers.h"

#include "runtime/cgroup/conversions.h"

namespace langsbx::cgroup::v2 {

namespace {

void plan_throttle(const std::vector<oci::ThrottleDevice>& devices, const char* key,
                   const std::string& member, Writes& out) {
  for (std::size_t i = 0; i < devices.size(); ++i) {
    out.add("io", "io.max",
            device_number(devices[i].major, devices[i].minor) + " " + key + "=" +
                std::to_string(devices[i].rate),
            "blockIO." + member + "[" + std::to_string(i) + "].rate");
  }
}

void plan_weight(const std::string& target, std::uint16_t weight, const std::string& field,
                 Writes& out) {
  // BFQ takes the weight as it is.
  auto& write = out.add("io", "io.bfq.weight", target + std::to_string(weight), "blockIO." + field);
  write.other_file = "io.weight";
  write.other_value = target + std::to_string(io_weight_from_blkio(weight));
}

}  // namespace

Result<void> plan_block_io(const oci::BlockIoResources& block_io, Writes& out) {
  TRY(check_block_io(block_io));
  if (block_io.leaf_weight.value_or(0) != 0) return not_on_this_version("blockIO.leafWeight", 2);
  if (block_io.weight.value_or(0) != 0) plan_weight("default ", *block_io.weight, "weight", out);
  for (std::size_t i = 0; i < block_io.weight_device.size(); ++i) {
    const auto& device = block_io.weight_device[i];
    const std::string member = "weightDevice[" + std::to_string(i) + "]";
    if (device.leaf_weight.value_or(0) != 0) {
      return not_on_this_version("blockIO." + member + ".leafWeight", 2);
    }
    if (device.weight.value_or(0) == 0) continue;
    plan_weight(device_number(device.major, device.minor) + " ", *device.weight, member + ".weight",
                out);
  }
  plan_throttle(block_io.throttle_read_bps, "rbps", "throttleReadBpsDevice", out);
  plan_throttle(block_io.throttle_write_bps, "wbps", "throttleWriteBpsDevice", out);
  plan_throttle(block_io.throttle_read_iops, "riops", "throttleReadIOPSDevice", out);
  plan_throttle(block_io.throttle_write_iops, "wiops", "throttleWriteIOPSDevice", out);
  return {};
}

}  // namespace langsbx::cgroup::v2
