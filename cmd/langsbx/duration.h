// Durations as Go writes them: "5s", "1m30s", "250ms".
#pragma once

#include <chrono>
#include <string_view>

#include "runtime/base/result.h"

namespace langsbx::cmd {

// Greater than zero; a number without a unit is refused, as Go does.
Result<std::chrono::milliseconds> parse_duration(std::string_view text, std::string_view option);

}  // namespace langsbx::cmd
