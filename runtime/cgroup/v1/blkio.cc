// v1 blkio: weights of CFQ or BFQ, throttling.
#include "runtime/cgroup/controllers.h"

namespace langsbx::cgroup::v1 {

namespace {

void plan_throttle(const std::vector<oci::ThrottleDevice>& devices, const char* file,
                   const std::string& member, Writes& out) {
  for (std::size_t i = 0; i < devices.size(); ++i) {
    out.add(
        "blkio", file,
        device_number(devices[i].major, devices[i].minor) + " " + std::to_string(devices[i].rate),
        "blockIO." + member + "[" + std::to_string(i) + "].rate");
  }
}

}  // namespace

Result<void> plan_block_io(const oci::BlockIoResources& block_io, Writes& out) {
  TRY(check_block_io(block_io));
  const auto weight = [&](const char* file, const char* bfq_file, const std::string& value,
                          const std::string& field) {
    auto& write = out.add("blkio", file, value, "blockIO." + field);
    write.other_file = bfq_file;
    write.other_value = value;
  };
  if (block_io.weight.value_or(0) != 0) {
    weight("blkio.weight", "blkio.bfq.weight", std::to_string(*block_io.weight), "weight");
  }
  if (block_io.leaf_weight.value_or(0) != 0) {
    out.add("blkio", "blkio.leaf_weight", std::to_string(*block_io.leaf_weight),
            "blockIO.leafWeight");
  }
  for (std::size_t i = 0; i < block_io.weight_device.size(); ++i) {
    const auto& device = block_io.weight_device[i];
    const std::string number = device_number(device.major, device.minor) + " ";
    const std::string member = "weightDevice[" + std::to_string(i) + "]";
    if (device.weight.value_or(0) != 0) {
      weight("blkio.weight_device", "blkio.bfq.weight_device",
             number + std::to_string(*device.weight), member + ".weight");
    }
    if (device.leaf_weight.value_or(0) != 0) {
      out.add("blkio", "blkio.leaf_weight_device", number + std::to_string(*device.leaf_weight),
              "blockIO." + member + ".leafWeight");
    }
  }
  plan_throttle(block_io.throttle_read_bps, "blkio.throttle.read_bps_device",
                "throttleReadBpsDevice", out);
  plan_throttle(block_io.throttle_write_bps, "blkio.throttle.write_bps_device",
                "throttleWriteBpsDevice", out);
  plan_throttle(block_io.throttle_read_iops, "blkio.throttle.read_iops_device",
                "throttleReadIOPSDevice", out);
  plan_throttle(block_io.throttle_write_iops, "blkio.throttle.write_iops_device",
                "throttleWriteIOPSDevice", out);
  return {};
}

}  // namespace langsbx::cgroup::v1
