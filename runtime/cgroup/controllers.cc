// Checks and spellings that both versions' controllers share.
#include "runtime/cgroup/controllers.h"

#include <algorithm>
#include <cctype>

namespace langsbx::cgroup {
namespace {

Result<void> check_weight(std::optional<std::uint16_t> weight, const std::string& field) {
  // 0 is Docker's way to say unset.
  if (!weight || *weight == 0 || (*weight >= 10 && *weight <= 1000)) return {};
  return make_error(ErrorKind::kInvalidInput, "linux.resources.blockIO." + field + ": " +
                                                  std::to_string(*weight) +
                                                  " is not within 10 and 1000");
}

}  // namespace

Error not_on_this_version(std::string_view field, int version) {
  return make_error(ErrorKind::kUnsupported, "linux.resources." + std::string(field) +
                                                 ": does not exist on cgroup v" +
                                                 std::to_string(version));
}

Result<void> check_block_io(const oci::BlockIoResources& block_io) {
  TRY(check_weight(block_io.weight, "weight"));
  TRY(check_weight(block_io.leaf_weight, "leafWeight"));
  for (std::size_t i = 0; i < block_io.weight_device.size(); ++i) {
    const std::string field = "weightDevice[" + std::to_string(i) + "].";
    TRY(check_weight(block_io.weight_device[i].weight, field + "weight"));
    TRY(check_weight(block_io.weight_device[i].leaf_weight, field + "leafWeight"));
  }
  return {};
}

Result<void> check_page_size(const oci::HugepageLimit& limit, std::size_t index) {
  const std::string& size = limit.page_size;
  const auto digits = std::find_if(size.begin(), size.end(),
                                   [](unsigned char letter) { return std::isdigit(letter) == 0; });
  const std::string unit(digits, size.end());
  if (digits == size.begin() || (unit != "KB" && unit != "MB" && unit != "GB")) {
    return make_error(ErrorKind::kInvalidInput, "linux.resources.hugepageLimits[" +
                                                    std::to_string(index) + "].pageSize: \"" +
                                                    size + "\" is not a size like 2MB");
  }
  return {};
}

std::string device_number(std::int64_t major, std::int64_t minor) {
  return std::to_string(major) + ":" + std::to_string(minor);
}

std::string rdma_limits(const std::string& device, const oci::RdmaLimit& limit) {
  std::string value = device;
  if (limit.hca_handles) value += " hca_handle=" + std::to_string(*limit.hca_handles);
  if (limit.hca_objects) value += " hca_object=" + std::to_string(*limit.hca_objects);
  return value;
}

}  // namespace langsbx::cgroup
