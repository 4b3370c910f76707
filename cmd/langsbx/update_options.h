// The limits that `update` takes as options, as resources.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cmd/langsbx/options.h"
#include "oci/spec_resources.h"
#include "runtime/base/result.h"

namespace langsbx::cmd {

// "64m", "1.5GiB", "-1", "4096": bytes, by powers of 1024.
Result<std::int64_t> parse_bytes(std::string_view text, std::string_view option);

struct UpdateOptions {
  std::string resources_file;  // "-": stdin; then the limits below are ignored
  std::optional<std::int64_t> blkio_weight;
  std::optional<std::int64_t> cpu_period;
  std::optional<std::int64_t> cpu_quota;
  std::optional<std::int64_t> cpu_burst;
  std::optional<std::int64_t> cpu_shares;
  std::optional<std::int64_t> cpu_rt_period;
  std::optional<std::int64_t> cpu_rt_runtime;
  std::optional<std::int64_t> cpu_idle;
  std::optional<std::int64_t> pids_limit;
  std::string cpus;
  std::string mems;
  std::string memory;
  std::string memory_reservation;
  std::string memory_swap;
  std::string kernel_memory;
  std::string kernel_memory_tcp;
  std::string l3_cache_schema;
  std::string mem_bw_schema;
};

void declare_update_options(OptionTable& table, UpdateOptions& options);
Result<oci::Resources> resources_from(const UpdateOptions& options);

}  // namespace langsbx::cmd
