// v1 numbers to v2 numbers.
#include "runtime/cgroup/conversions.h"

#include <cmath>

namespace langsbx::cgroup {

std::uint64_t cpu_weight_from_shares(std::uint64_t shares) {
  if (shares == 0) return 0;
  if (shares <= 2) return 1;
  if (shares >= 262144) return 10000;
  const double log = std::log2(static_cast<double>(shares));
  const double exponent = (log * log + 125 * log) / 612.0 - 7.0 / 34.0;
  return static_cast<std::uint64_t>(std::ceil(std::pow(10, exponent)));
}

std::uint64_t io_weight_from_blkio(std::uint64_t weight) {
  if (weight == 0) return 0;
  if (weight < 10) return 1;
  return 1 + (weight - 10) * 9999 / 990;
}

Result<std::optional<std::int64_t>> swap_for_v2(std::optional<std::int64_t> swap,
                                                std::optional<std::int64_t> limit) {
  const std::int64_t total = swap.value_or(0);
  const std::int64_t memory = limit.value_or(0);
  // Unlimited memory without a word about swap means unlimited swap as well.
  if (total == 0) return memory < 0 ? std::optional<std::int64_t>(-1) : std::nullopt;
  if (total < 0) return std::optional<std::int64_t>(-1);
  if (memory <= 0) {
    return make_error(ErrorKind::kInvalidInput,
                      "linux.resources.memory.swap: unable to set swap limit without memory limit");
  }
  if (total < memory) {
    return make_error(ErrorKind::kInvalidInput,
                      "linux.resources.memory.swap: memory+swap limit " + std::to_string(total) +
                          " should be >= memory limit " + std::to_string(memory));
  }
  return std::optional<std::int64_t>(total - memory);
}

std::string limit_or_max(std::int64_t limit) { return limit < 0 ? "max" : std::to_string(limit); }

}  // namespace langsbx::cgroup
