// linux.resources as properties of a unit.
#include <algorithm>
#include <string_view>

#include "runtime/cgroup/controllers.h"
#include "runtime/cgroup/conversions.h"
#include "runtime/cgroup/systemd/quote.h"
#include "runtime/cgroup/systemd/unit.h"
#include "runtime/cgroup/text.h"

namespace langsbx::cgroup::systemd {
namespace {

std::uint64_t or_infinity(std::int64_t limit) {
  return limit < 0 ? kInfinity : static_cast<std::uint64_t>(limit);
}

// systemd keeps CPU quotas in whole 10 ms a second; rounded up, since less than asked for hurts.
std::uint64_t quota_per_second(std::int64_t quota, std::uint64_t period) {
  constexpr std::uint64_t kSecond = 1000000;
  constexpr std::uint64_t kGrain = 10000;
  if (quota < 0) return kInfinity;
  const std::uint64_t exact = static_cast<std::uint64_t>(quota) * kSecond / period;
  return (exact + kGrain - 1) / kGrain * kGrain;
}

Result<void> add_cpuset(const char* name, const std::string& list, const char* field,
                        std::vector<UnitProperty>& out) {
  if (list.empty()) return {};
  const auto numbers = range_list(list);
  if (!numbers) {
    return make_error(ErrorKind::kInvalidInput, std::string("linux.resources.") + field + ": \"" +
                                                    list + "\" is not a list like 0-2,7");
  }
  out.push_back(mask_property(name, *numbers));
  return {};
}

Result<void> add_cpu(const oci::CpuResources& cpu, Mode mode, std::vector<UnitProperty>& out) {
  constexpr std::uint64_t kDefaultPeriod = 100000;
  const auto shares = cpu.shares.value_or(0);
  if (shares != 0 && mode == Mode::kV2) {
    // An idle cgroup has no weight.
    if (cpu.idle.value_or(0) == 0) {
      out.push_back(number_property("CPUWeight", cpu_weight_from_shares(shares)));
    }
  } else if (shares != 0) {
    out.push_back(number_property("CPUShares", shares));
  }
  const auto period = cpu.period.value_or(0);
  if (period != 0) out.push_back(number_property("CPUQuotaPeriodUSec", period));
  if (cpu.quota.value_or(0) != 0) {
    out.push_back(number_property(
        "CPUQuotaPerSecUSec", quota_per_second(*cpu.quota, period != 0 ? period : kDefaultPeriod)));
  }
  if (mode != Mode::kV2) return {};
  TRY(add_cpuset("AllowedCPUs", cpu.cpus, "cpu.cpus", out));
  return add_cpuset("AllowedMemoryNodes", cpu.mems, "cpu.mems", out);
}

Result<void> add_memory(const oci::MemoryResources& memory, Mode mode,
                        std::vector<UnitProperty>& out) {
  const auto limit = memory.limit.value_or(0);
  if (mode != Mode::kV2) {
    if (limit != 0) out.push_back(number_property("MemoryLimit", or_infinity(limit)));
    return {};
  }
  if (limit != 0) out.push_back(number_property("MemoryMax", or_infinity(limit)));
  if (memory.reservation.value_or(0) != 0) {
    out.push_back(number_property("MemoryLow", or_infinity(*memory.reservation)));
  }
  // An update of swap alone is left to the file, which is written with the limit it has there.
  if (limit == 0) return {};
  if (const auto swap = TRY(swap_for_v2(memory.swap, limit))) {
    out.push_back(number_property("MemorySwapMax", or_infinity(*swap)));
  }
  return {};
}

Result<void> add_unified(const std::map<std::string, std::string>& unified,
                         std::vector<UnitProperty>& out) {
  struct Mapping {
    std::string_view file;
    std::string_view property;
  };
  static constexpr Mapping kNumbers[] = {
      {"cpu.weight", "CPUWeight"}, {"memory.min", "MemoryMin"},
      {"memory.low", "MemoryLow"}, {"memory.high", "MemoryHigh"},
      {"memory.max", "MemoryMax"}, {"memory.swap.max", "MemorySwapMax"},
      {"pids.max", "TasksMax"},
  };
  for (const auto& [file, value] : unified) {
    const auto known =
        std::find_if(std::begin(kNumbers), std::end(kNumbers),
                     [&name = file](const Mapping& mapping) { return name == mapping.file; });
    if (known != std::end(kNumbers)) {
      // Sizes with a suffix and other spellings are for the file alone.
      if (const auto number = to_number(value)) {
        out.push_back(number_property(std::string(known->property), *number));
      }
    } else if (file == "cpu.max") {
      const auto words = split(trim(value), ' ');
      const auto quota = words.empty() ? std::nullopt : to_number(words[0]);
      const auto period =
          words.size() < 2 ? std::optional<std::uint64_t>(100000) : to_number(words[1]);
      if (!quota || !period || *period == 0) continue;
      out.push_back(number_property("CPUQuotaPeriodUSec", *period));
      const auto limit = *quota == kInfinity ? -1 : static_cast<std::int64_t>(*quota);
      out.push_back(number_property("CPUQuotaPerSecUSec", quota_per_second(limit, *period)));
    } else if (file == "cpuset.cpus") {
      TRY(add_cpuset("AllowedCPUs", value, "unified.cpuset.cpus", out));
    } else if (file == "cpuset.mems") {
      TRY(add_cpuset("AllowedMemoryNodes", value, "unified.cpuset.mems", out));
    }
  }
  return {};
}

}  // namespace

Result<std::vector<UnitProperty>> resource_properties(const oci::Resources& resources, Mode mode) {
  std::vector<UnitProperty> out;
  if (resources.cpu) TRY(add_cpu(*resources.cpu, mode, out));
  if (resources.memory) TRY(add_memory(*resources.memory, mode, out));
  if (resources.pids_limit) {
    // systemd takes 0 for "no limit given"; one task is the least it can say.
    const auto limit = *resources.pids_limit == 0 ? 1 : *resources.pids_limit;
    out.push_back(number_property("TasksMax", or_infinity(limit)));
  }
  if (resources.block_io && resources.block_io->weight.value_or(0) != 0) {
    const std::uint64_t weight = *resources.block_io->weight;
    if (mode == Mode::kV2) {
      out.push_back(number_property("IOWeight", io_weight_from_blkio(weight)));
    } else {
      out.push_back(number_property("BlockIOWeight", weight));
    }
  }
  if (mode == Mode::kV2) TRY(add_unified(resources.unified, out));
  return out;
}

}  // namespace langsbx::cgroup::systemd
