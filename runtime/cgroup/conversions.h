// The numbers of config.json are those of cgroup v1; here they become those of v2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/base/result.h"

namespace langsbx::cgroup {

// cpu.shares 2..262144 → cpu.weight 1..10000 by the curve that all runtimes use since 2025: it goes
// through (2, 1), (1024, 100), (262144, 10000). 0 stays 0 (unset).
std::uint64_t cpu_weight_from_shares(std::uint64_t shares);

// blkio.weight 10..1000 → io.weight 1..10000; 0 stays 0.
std::uint64_t io_weight_from_blkio(std::uint64_t weight);

// memory.swap counts memory + swap in v1 and config.json, swap alone in v2. Empty: leave alone.
// `limit` 0 or absent means unset. Refuses a swap smaller than the limit or without a limit.
Result<std::optional<std::int64_t>> swap_for_v2(std::optional<std::int64_t> swap,
                                                std::optional<std::int64_t> limit);

// -1 (and anything negative) as "max".
std::string limit_or_max(std::int64_t limit);

}  // namespace langsbx::cgroup
